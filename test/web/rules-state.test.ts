/** The state of the editor of migration rules: what is written, accepted, rejected, undone and saved. */
import { expect, test } from 'bun:test'
import type { MigrationProposal } from '../../src/api/migration-plans.ts'
import { type Rule, ruleKey } from '../../web/src/features/migration/rules.ts'
import { newRule, rulesReducer, type RulesState, viewRules } from '../../web/src/features/migration/rules-state.ts'

const before = new Map([
  ['id', 'string'],
  ['name', 'string'],
  ['size', 'integer'],
])
const after = new Map([
  ['id', 'string'],
  ['title', 'string'],
  ['size', 'number'],
])
const rename: Rule = {
  kind: 'rename',
  source_property: 'name',
  target_properties: ['title'],
  source_type: 'string',
  target_type: 'string',
}
const proposal: MigrationProposal = {
  key: ruleKey('name'),
  rule: rename,
  confidence: 0.8,
  reason: 'alike',
} as MigrationProposal
const empty: RulesState = { rules: {}, rejected: new Set() }
const names = (properties: readonly { readonly name: string }[]): readonly string[] =>
  properties.map(({ name }) => name)

test('properties that change need a decision; those that stay are unchanged; only the newer class has the added ones', () => {
  const view = viewRules(empty, [proposal], before, after)
  expect([names(view.needsDecision), names(view.unchanged), view.added]).toEqual([['name', 'size'], ['id'], ['title']])
  expect(view.open).toEqual([proposal])
  expect(view.needsDecision[0]).toEqual({ name: 'name', rule: null, proposal })
})

test('an accepted proposal becomes a rule and is no longer open', () => {
  const state = rulesReducer(empty, { kind: 'accept', proposals: [proposal] })
  expect(state.rules).toEqual({ [ruleKey('name')]: rename })
  const view = viewRules(state, [proposal], before, after)
  expect(view.open).toEqual([])
  expect(view.needsDecision[0]).toEqual({ name: 'name', rule: rename, proposal: null })
})

test('a rejected proposal is not open until it is shown again', () => {
  const rejected = rulesReducer(empty, { kind: 'reject', property: 'name' })
  expect(viewRules(rejected, [proposal], before, after).open).toEqual([])
  expect(rejected.rules).toEqual({})
  const shown = rulesReducer(rejected, { kind: 'show-rejected' })
  expect(viewRules(shown, [proposal], before, after).open).toEqual([proposal])
})

test('writing a rule keeps what others wrote beside it; null removes the rule', () => {
  const kept: RulesState = { rules: { [ruleKey('name')]: { ...rename, note: 'by hand' } }, rejected: new Set() }
  const drop = { ...rename, kind: 'drop' as const, target_properties: [] }
  const written = rulesReducer(kept, { kind: 'set', property: 'name', rule: drop })
  expect(written.rules).toEqual({ [ruleKey('name')]: { ...drop, note: 'by hand' } })
  expect(rulesReducer(written, { kind: 'set', property: 'name', rule: null }).rules).toEqual({})
})

test('a rule of a property that no class has any more is shown, so that it can be removed', () => {
  const state: RulesState = { rules: { [ruleKey('old')]: { ...rename, source_property: 'old' } }, rejected: new Set() }
  expect(names(viewRules(state, [], before, after).needsDecision)).toEqual(['name', 'size', 'old'])
})

test('a change made while rules are saved stays', () => {
  const sent = rulesReducer(empty, { kind: 'accept', proposals: [proposal] })
  const saved = { [ruleKey('name')]: { ...rename, saved: true } }
  expect(rulesReducer(sent, { kind: 'saved', sent: sent.rules, rules: saved }).rules).toEqual(saved)
  const changed = rulesReducer(sent, { kind: 'set', property: 'size', rule: newRule('size', before, after) })
  expect(rulesReducer(changed, { kind: 'saved', sent: sent.rules, rules: saved })).toBe(changed)
})

test('undo brings the saved rules back and keeps rejected proposals', () => {
  const changed = rulesReducer(rulesReducer(empty, { kind: 'accept', proposals: [proposal] }), {
    kind: 'reject',
    property: 'size',
  })
  expect(rulesReducer(changed, { kind: 'undo', rules: {} })).toEqual({ rules: {}, rejected: new Set(['size']) })
})

test('a new rule changes the type of a property that stays and drops one that goes', () => {
  expect(newRule('size', before, after)).toEqual({
    kind: 'type-change',
    source_property: 'size',
    target_properties: ['size'],
    source_type: 'integer',
    target_type: 'number',
  })
  expect(newRule('name', before, after)).toMatchObject({ kind: 'drop', target_properties: [], target_type: null })
})
