/** Rules: which news pass, as a table, and for every combination of a rule and an event. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { passes, usualBell } from '../../../server/news/rules.ts'
import type { StoredRule } from '../../../src/api/notification-targets.ts'
import { notificationTypes } from '../../../src/api/notifications.ts'

const pets = { id: 'p1', tags: ['public', 'rest'] }
const rule = (projects: string[] | null, tags: string[] | null): StoredRule => ({
  type: 'version_published',
  projects,
  tags,
})

test('a rule without projects and tags lets everything of its type through; others what they name', () => {
  const table: [StoredRule, typeof pets | null, boolean][] = [
    [rule(null, null), pets, true],
    [rule(null, null), null, true],
    [rule(['p1'], null), pets, true],
    [rule(['p2'], null), pets, false],
    [rule(['p1'], null), null, false],
    [rule(null, ['rest']), pets, true],
    [rule(null, ['internal']), pets, false],
    [rule(['p2'], ['rest']), pets, true],
    [rule(['p1'], ['internal']), pets, true],
    [rule(['p2'], ['internal']), pets, false],
    [rule(['p1'], ['rest']), null, false],
  ]
  expect(table.map(([one, project]) => passes([one], 'version_published', project))).toEqual(
    table.map(([, , is]) => is),
  )
  expect(passes([rule(null, null)], 'mention', pets)).toBe(false)
  expect(passes([], 'version_published', pets)).toBe(false)
  expect(notificationTypes.every((type) => passes(usualBell, type, null))).toBe(true)
})

const names = fc.constantFrom('a', 'b', 'c')
const some = fc.option(fc.uniqueArray(names, { minLength: 1 }))
const ruleOf = fc.record({ type: fc.constantFrom(...notificationTypes), projects: some, tags: some })

test('every set of rules: an event passes exactly where its rule names it', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(ruleOf, { selector: ({ type }) => type }),
      fc.constantFrom(...notificationTypes),
      fc.option(fc.record({ id: names, tags: fc.uniqueArray(names) })),
      (rules, type, project) => {
        const mine = rules.filter((one) => one.type === type)
        const isUnlimited = mine.some(({ projects, tags }) => projects === null && tags === null)
        const isNamed = mine.some(
          ({ projects, tags }) =>
            project !== null &&
            ((projects ?? []).includes(project.id) || (tags ?? []).some((tag) => project.tags.includes(tag))),
        )
        expect(passes(rules, type, project)).toBe(isUnlimited || isNamed)
      },
    ),
  )
})
