import type { Learned } from './learned.js';

/** Written by `bench/summaries/fit.js`, from the meetings that `bench/summaries` measures. */
export const LEARNED: Learned = {
  fitted: '2026-11-28',
  meetings: 12,
  points: {
    bias: -2.006,
    weights: {
      opening: 0.138,
      handover: 0.177,
      monologue: -0.06,
      numbers: 0.111,
      returning: 0.141,
      report: 0.183,
      talk: -0.245,
    },
  },
  decisions: {
    bias: -0.043,
    weights: {
      declared: -0.065,
      resolved: 0.065,
      doubted: -1.249,
    },
    threshold: 0.23,
  },
  actionItems: {
    bias: -0.91,
    weights: {
      promised: -0.099,
      asked: 0.688,
      needed: -0.737,
      due: 0.792,
      talk: -0.805,
    },
    threshold: 0.17,
  },
};
