import { expect, it } from 'vitest';
import { brokenBy, curveOf, type Stated } from '../../../bench/agent/calibration.ts';

const stated = (app: string, confidence: number, found: number, facts = 20): Stated => ({
  app,
  confidence,
  found,
  facts,
});

it('holds where sure states have what is asked for', () => {
  expect(brokenBy([stated('a', 0.97, 19), stated('b', 0.97, 18), stated('c', 0.89, 11), stated('d', 0.4, 0)])).toEqual(
    [],
  );
  expect(brokenBy([])).toEqual([]);
});

it('is broken by sure states that lack much, and by each that lacks most', () => {
  expect(brokenBy([stated('a', 0.97, 17)])).toEqual(['States of 0.95 and more hold 85 %']);
  expect(brokenBy([stated('a', 0.92, 9)])).toEqual(['a states 0.92 with fewer than half of the facts']);
});

it('sums up by how sure states are', () => {
  expect(curveOf([stated('a', 0.97, 20), stated('b', 0.95, 16), stated('c', 0.89, 11), stated('d', 0.3, 0)])).toEqual([
    ['0.95 and more', '2', '36/40', '90 %', '80 %'],
    ['0.80 to 0.90', '1', '11/20', '55 %', '55 %'],
    ['0.00 to 0.60', '1', '0/20', '0 %', '0 %'],
  ]);
});
