{{/* Labels of what belongs to a component: dict "root" $ "component" "api". */}}
{{- define "mrs.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- define "mrs.labels" -}}
{{ include "mrs.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- end }}

{{- define "mrs.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* All settings of a container. Whole numbers are read as floats, which would be written as 1.073741824e+10. */}}
{{- define "mrs.env" -}}
- { name: HOST, value: 0.0.0.0 }
- { name: PORT, value: "3000" }
- { name: DATA_DIR, value: /data }
- { name: WORKER_HEALTH_PORT, value: "3001" }
{{- if .Values.metrics.enabled }}
- { name: METRICS_PORT, value: "9464" }
- { name: METRICS_HOST, value: 0.0.0.0 }
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ ternary (printf "%.0f" $value) (toString $value) (kindIs "float64" $value) | quote }}
{{- end }}
{{- range .Values.secretKeys }}
{{ include "mrs.secretKey" (list $ .) }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "mrs.secretKey" -}}
- name: {{ index . 1 }}
  valueFrom: { secretKeyRef: { name: {{ (index . 0).Values.existingSecret }}, key: {{ index . 1 }} } }
{{- end }}

{{- define "mrs.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "mrs.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  # The user `node` of the image.
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* dict "root" $ "component" "api" "values" .Values.api "port" 3000 "drain" 5 */}}
{{- define "mrs.deployment" -}}
{{- $ := .root -}}
{{- $selector := pick . "root" "component" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $.Release.Name }}-{{ .component }}
  labels: {{- include "mrs.labels" . | nindent 4 }}
spec:
  {{- if not .values.autoscaling.enabled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  selector:
    matchLabels: {{- include "mrs.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "mrs.labels" . | nindent 8 }}
    spec:
      serviceAccountName: {{ $.Release.Name }}
      {{- include "mrs.pod" $ | nindent 6 }}
      # The service ends running requests within 10 s.
      terminationGracePeriodSeconds: {{ add 15 .drain }}
      topologySpreadConstraints:
        {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "mrs.selector" $selector | nindent 14 }}
        {{- end }}
      {{- with .values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .component }}
          image: {{ include "mrs.image" $ }}
          imagePullPolicy: {{ $.Values.image.pullPolicy }}
          command: [node, dist/src/entrypoints/{{ .component }}.js]
          env: {{- include "mrs.env" $ | nindent 12 }}
          securityContext: {{- include "mrs.containerSecurity" $ | nindent 12 }}
          resources: {{- toYaml .values.resources | nindent 12 }}
          ports:
            - { name: http, containerPort: {{ .port }} }
            {{- if $.Values.metrics.enabled }}
            - { name: metrics, containerPort: 9464 }
            {{- end }}
          # Without the Job, the first pod migrates before it listens, for as long as that takes.
          startupProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 5
            failureThreshold: {{ ternary 24 720 $.Values.migrationJob.enabled }}
          livenessProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /health/ready, port: http }
            periodSeconds: 5
            timeoutSeconds: 3
            failureThreshold: 2
          {{- if .drain }}
          # Until no proxy sends it new requests.
          lifecycle: { preStop: { exec: { command: [sleep, {{ .drain | quote }}] } } }
          {{- end }}
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
            {{- with $.Values.volumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: data
          {{- if $.Values.dataClaim }}
          persistentVolumeClaim: { claimName: {{ $.Values.dataClaim }} }
          {{- else }}
          emptyDir: { sizeLimit: {{ .values.scratchSize }} }
          {{- end }}
        - { name: tmp, emptyDir: { sizeLimit: 1Gi } }
        {{- with $.Values.volumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end }}
