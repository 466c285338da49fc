import { expect, test } from 'bun:test'
import { suggestedLabel } from '../../web/src/features/versions/publish-summary.tsx'

type Changes = Parameters<typeof suggestedLabel>[1]
const since = (base: string, severity: Changes['max_severity']): Changes => ({
  base: { label: base, slug: base },
  max_severity: severity,
  counts: { breaking: 0, non_breaking: 0, docs_only: 0, unknown: 0 },
})

test('a draft is named after what changed, unless it says as much already', () => {
  expect(
    (
      [
        ['1.5.0', 'breaking'],
        ['1.5.0', 'non-breaking'],
        ['1.5.0', 'docs-only'],
        ['1.4.1', 'non-breaking'],
        ['2.0.0', 'breaking'],
        ['v1.4.1', 'docs-only'],
        ['next', 'breaking'],
        ['1.5.0', null],
      ] as const
    ).map(([label, severity]) => suggestedLabel(label, since('1.4.0', severity))),
  ).toEqual(['2.0.0', null, null, '1.5.0', null, null, '2.0.0', null])
  expect(suggestedLabel('2025-01-02', since('2025-01-01', 'breaking'))).toBeNull()
})
