import { describe, expect, test } from 'bun:test'
import { outcomeOf } from '../../../src/diff/conclusion.ts'
import { checkVersion, nextVersion, stepOf } from '../../../src/diff/next-version.ts'
import type { Tally } from '../../../src/diff/tally.ts'

const tallies: Readonly<Record<string, Pick<Tally, 'maxSeverity' | 'verdict'>>> = {
  unchanged: { maxSeverity: null, verdict: 'safe' },
  docs: { maxSeverity: 'docs-only', verdict: 'safe' },
  compatible: { maxSeverity: 'non-breaking', verdict: 'safe' },
  undecided: { maxSeverity: 'breaking', verdict: 'unknown' },
  breaking: { maxSeverity: 'breaking', verdict: 'breaking' },
}

describe('the version that a change asks for', () => {
  test('every outcome has its word and its step', () => {
    expect(Object.values(tallies).map((it) => `${outcomeOf(it)} ${stepOf(it)}`)).toEqual([
      'unchanged none',
      'docs-only patch',
      'compatible minor',
      'undecided major',
      'breaking major',
    ])
  })

  test('the smallest step is taken from the version as it is written', () => {
    const steps = (version: string) =>
      (['none', 'patch', 'minor', 'major'] as const).map((step) => nextVersion(version, step))
    expect(steps('1.4.2')).toEqual(['1.4.2', '1.4.3', '1.5.0', '2.0.0'])
    expect(steps('v1.4')).toEqual(['v1.4', 'v1.4.1', 'v1.5.0', 'v2.0.0'])
    expect(steps('0.3.1')).toEqual(['0.3.1', '0.3.2', '0.3.2', '0.4.0'])
    expect(steps('2.0.0-rc.1')).toEqual(['2.0.0-rc.1', '2.0.0-rc.2', '2.0.0-rc.2', '2.0.0-rc.2'])
    expect(steps('2.0.0-beta')).toEqual(['2.0.0-beta', '2.0.0-beta.1', '2.0.0-beta.1', '2.0.0-beta.1'])
    expect(steps('2026-01-31')).toEqual([null, null, null, null])
  })

  test('a version understates a change that asks for more', () => {
    const status = (base: string | null, head: string | null, tally: string) =>
      checkVersion(base, head, tallies[tally]!).status
    expect(status('1.4.2', '1.4.2', 'unchanged')).toBe('enough')
    expect(status('1.4.2', '1.4.1', 'unchanged')).toBe('understated')
    expect(status('1.4.2', '1.4.2', 'docs')).toBe('understated')
    expect(status('1.4.2', '1.4.3', 'docs')).toBe('enough')
    expect(status('1.4.2', '1.4.3', 'compatible')).toBe('understated')
    expect(status('1.4.2', '1.5.0', 'compatible')).toBe('enough')
    expect(status('1.4.2', '1.5.0', 'breaking')).toBe('understated')
    expect(status('1.4.2', '1.5.0', 'undecided')).toBe('understated')
    expect(status('1.4.2', '2.0.0', 'breaking')).toBe('enough')
    expect(status('1.4.2', '2.0.0-rc.1', 'breaking')).toBe('enough')
    expect(status('1.4.2', '1.5.0-rc.1', 'breaking')).toBe('understated')
    expect(status('0.4.2', '0.5.0', 'breaking')).toBe('enough')
    expect(status('0.4.2', '0.4.3', 'breaking')).toBe('understated')
    expect(status('0.4.2', '0.4.3', 'compatible')).toBe('enough')
    expect(status('2.0.0-rc.1', '2.0.0', 'breaking')).toBe('enough')
    expect(status('2.0.0-rc.1', '2.0.0-rc.1', 'breaking')).toBe('understated')
    expect(status('2026-01-31', '2026-02-01', 'docs')).toBe('unknown')
    expect(status('1.0.0', null, 'docs')).toBe('unknown')
  })
})
