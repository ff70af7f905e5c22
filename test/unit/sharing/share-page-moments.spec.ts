import { describe, expect, it } from '@jest/globals';
import { formatClock, lastStarted, momentOf, parseMoment } from '../../../web/share/scripts/moments.js';

describe('moments on the share page', () => {
  it.each([
    [0, '0:00'],
    [645, '10:45'],
    [3_723.5, '1:02:03'],
    [-1, '0:00'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(formatClock(seconds)).toBe(text);
  });

  it.each([
    ['#t=645', 645],
    ['#t=645.5', 645.5],
    ['#t=10:45', 645],
    ['#t=1:02:03', 3_723],
    ['#t=90s', 90],
    ['#t=1M30', 90],
    ['#t=1h2m3.5s', 3_723.5],
    // Media fragments.
    ['#t=10,20', 10],
    ['#t=npt:0:10,20', 10],
    ['#t=1s30m', null],
    ['#t=1e3', null],
    [`#t=${'9'.repeat(400)}`, null],
    ['#t=', null],
    ['#t=10:450', null],
    ['#t=-5', null],
    ['#summary', null],
    ['', null],
    [null, null],
  ])('reads %s as %p', (hash, seconds) => {
    expect(parseMoment(hash)).toBe(seconds);
  });

  it.each([
    ['', '?t=30', 30],
    ['', '?utm_source=mail&t=90s', 90],
    ['', '?t=30&t=60', 30],
    ['', '?t=soon', null],
    ['', '?t=10%2C20', 10],
    ['', '', null],
    // Those who have jumped since are where they have jumped to.
    ['#t=60', '?t=30', 60],
    ['#summary', '?t=30', 30],
  ])('opens a page with %j and %j at %p', (hash, search, seconds) => {
    expect(momentOf({ hash, search })).toBe(seconds);
  });

  it.each([
    [-1, -1],
    [2, 0],
    [4, 2],
    [8.9, 2],
    [1_000, 3],
  ])('finds what is spoken at %d seconds', (seconds, index) => {
    expect(lastStarted([2, 4, 4, 9], seconds)).toBe(index);
  });

  it('takes a moment just before a start for that start, as players stop a little short', () => {
    expect([lastStarted([2, 4], 3.96), lastStarted([2, 4], 3.94)]).toEqual([1, 0]);
  });

  it('finds nothing where there is nothing', () => {
    expect(lastStarted([], 5)).toBe(-1);
  });
});
