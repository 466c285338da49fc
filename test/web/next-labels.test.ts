/** What comes after the versions of a project. */
import { expect, test } from 'bun:test'
import { nextLabels } from '../../web/src/features/projects/next-labels.ts'

const after = (...labels: string[]) => nextLabels(labels).map(({ name, label }) => `${name} ${label}`)

test('after the greatest semantic version, in its own writing', () => {
  expect(after('1.9.0', '1.10.2', '1.2.0', 'latest', '3.0.0-rc.1')).toEqual([
    'Patch 1.10.3',
    'Minor 1.11.0',
    'Major 2.0.0',
  ])
  expect(after('v0.4.0')).toEqual(['Patch v0.4.1', 'Minor v0.5.0', 'Major v1.0.0'])
  expect(after('2024-04-10', 'x')).toEqual([])
})
