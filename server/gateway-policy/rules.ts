/** Custom rules. */
import { newId } from '../../db/id.ts'
import type { RuleCreate, RulePreviewRequest, RuleUpdate } from '../../src/api/gateway-shapes.ts'
import { differencesOf, risksOf } from '../../src/gateway-policy/compare.ts'
import { evaluate } from '../../src/gateway-policy/evaluate.ts'
import { InvalidExpression, readExpression, type Expression } from '../../src/gateway-policy/expression.ts'
import { effectiveModes, type Policy, type RemovedRule, type Rule } from '../../src/gateway-policy/model.ts'
import { groupIds } from '../../src/gateway-policy/catalogue.ts'
import { leanOf } from '../../src/gateway-policy/path-reading.ts'
import { recordOf } from '../../src/gateway-policy/replay-outcome.ts'
import { matchesNothing, refusalsOf, type Refusal } from '../../src/gateway-policy/rule-check.ts'
import { parseExpression, printExpression } from '../../src/gateway-policy/text.ts'
import { SvcError } from '../../src/errors.ts'
import { actorOf, type Grant, tenantOf } from '../auth/door.ts'
import { Guard } from '../bounds/door.ts'
import { changePolicy, withoutControls, type Controls, type PolicyChange } from './change.ts'
import type { PolicyDeps } from './enforcement.ts'
import { dayCounts } from './count.ts'
import { ruleRecord } from './show.ts'
import { rateOf } from './rate.ts'
import { findEnvironment, previewOf, readPolicy, recentEvents, stepsOfEvent, type EnvironmentRow } from './store.ts'

const mostRules = 200
/** How many removed rules are kept, the newest ones. */
const mostRemoved = 200

export type GivenRule = Omit<RuleUpdate, keyof Controls>

/** @throws SvcError `rule-expression-invalid`, `rule-expression-too-long`, `rule-too-complex` */
function readText(text: string): Expression {
  const { tree, problem } = parseExpression(text)
  if (tree !== null) return tree
  const { code, reason, line, column } = problem
  if (code !== 'rule-expression-invalid') throw new SvcError(code, { reason })
  throw new SvcError(code, { reason, line: String(line), column: String(column), pointer: null })
}

/** @throws SvcError `rule-expression-invalid`, `rule-expression-too-long`, `rule-too-complex` */
function readTree(tree: unknown): Expression {
  try {
    return readExpression(tree)
  } catch (error) {
    if (!(error instanceof InvalidExpression)) throw error
    const { code, reason, pointer } = error.problem
    if (code !== 'rule-expression-invalid') throw new SvcError(code, { reason })
    throw new SvcError(code, { reason, pointer: `/expression${pointer}`, line: null, column: null })
  }
}

function expressionOf({ expression, expressionText }: GivenRule): Expression | null {
  if (expression !== undefined && expressionText !== undefined)
    throw new SvcError('rule-invalid', { reason: 'give expression or expressionText, not both' })
  const given = expressionText ?? expression
  if (given === undefined) return null
  return typeof given === 'string' ? readText(given) : readTree(given)
}

/**
 * The rule with what is given.
 * @param was what it was; null for a new one
 * @throws SvcError `rule-invalid`, `rule-expression-invalid`, `rule-expression-too-long`, `rule-too-complex`
 */
export function withGiven(given: GivenRule, was: Rule, isNew: boolean): Rule {
  const expression = expressionOf(given)
  if (isNew && expression === null) throw new SvcError('rule-invalid', { reason: 'it has no expression' })
  const action = given.action ?? was.action
  const groups = given.groups === undefined ? was.groups : groupIds.filter((id) => given.groups?.includes(id))
  const rate = rateOf(given.rate, was.rate)
  const skipped = groups.length === 0 ? [...groupIds] : groups
  const invalid = (reason: string) => new SvcError('rule-invalid', { reason })
  if (action === 'rate-limit' && rate === null) throw invalid('the action rate-limit needs a rate')
  if (action !== 'rate-limit' && given.rate != null) throw invalid('a rate is for the action rate-limit')
  if (action !== 'skip' && (given.groups ?? []).length > 0) throw invalid('groups are for the action skip')
  return {
    ...was,
    name: given.name ?? was.name,
    enabled: given.enabled ?? was.enabled,
    action,
    status: given.status === undefined ? was.status : given.status,
    expression: expression ?? was.expression,
    order: given.order ?? was.order,
    reason: given.reason ?? was.reason,
    // Without a list a skip would skip everything: that is refused by name.
    groups: action === 'skip' ? skipped : [],
    rate: action === 'rate-limit' ? rate : null,
  }
}

export const blankRule = (policy: Policy, actor: string | null, at: string): Rule => ({
  id: newId(),
  name: '',
  enabled: true,
  action: 'block',
  status: null,
  expression: { field: 'http.route', op: 'exists' },
  order: Math.max(0, ...policy.rules.map(({ order }) => order)) + 10,
  reason: '',
  groups: [],
  rate: null,
  version: 1,
  createdBy: actor,
  createdAt: at,
})

/** What is unsafe in a rule of this policy. */
function refusalsIn(policy: Policy, row: EnvironmentRow, rule: Rule): Refusal[] {
  const modes = effectiveModes(policy)
  const groupsInUse = groupIds.filter((id) => modes[id].mode !== 'off')
  return refusalsOf(rule, { groupsInUse, basePaths: row.basePaths })
}

export function assertSafe(policy: Policy, row: EnvironmentRow, rule: Rule): Rule {
  const [first] = refusalsIn(policy, row, rule)
  if (first !== undefined) throw new SvcError(first.code, { reason: first.reason })
  return rule
}

export function assertRuleRoom({ rules }: Policy): void {
  if (rules.length >= mostRules) throw new SvcError('security-limit-reached', { what: 'rules', max: mostRules })
}

/** Parts of the rule that are allowed but probably not intended. */
function warningsOf(rule: Rule): string[] {
  const warnings: string[] = []
  if (matchesNothing(rule.expression) === true) warnings.push('No request can meet the expression.')
  if (rule.action === 'challenge') warnings.push('Coraza and ModSecurity cannot send a challenge: they log instead.')
  return warnings
}

export function findRule(policy: Policy, id: string): Rule {
  const rule = policy.rules.find((it) => it.id === id)
  if (rule === undefined) throw new SvcError('rule-not-found', { rule: id })
  return rule
}

const auditedRule = (id: string) => (policy: Policy) => {
  const rule = policy.rules.find((it) => it.id === id)
  return rule === undefined ? null : { ...rule, expression: printExpression(rule.expression) }
}

type Change = Pick<PolicyChange, 'operation' | 'target' | 'body' | 'action' | 'edit'> & {
  readonly reason?: string | null
}

async function writeRule(deps: PolicyDeps, grant: Grant, ref: string, id: string, change: Change, controls: Controls) {
  const whole: PolicyChange = { ...change, auditTarget: `rule:${id}`, audited: auditedRule(id) }
  const { policy, row, result } = await changePolicy(deps, grant, ref, whole, controls)
  const rule = policy.rules.find((it) => it.id === id) ?? policy.removedRules.find((it) => it.id === id)
  if (rule === undefined) throw new SvcError('rule-not-found', { rule: id })
  const { byRule } = await dayCounts(deps.db.read, row, deps.clock.now())
  return { rule: ruleRecord(rule, byRule.get(`rule:${id}`) ?? 0), warnings: warningsOf(rule), ...result }
}

/** @throws SvcError the refusals of rules, `security-limit-reached`, and what `changePolicy` throws */
export async function createRule(deps: PolicyDeps, grant: Grant, ref: string, given: RuleCreate) {
  const body = withoutControls(given)
  const id = newId()
  const edit: PolicyChange['edit'] = (policy, row) => {
    assertRuleRoom(policy)
    const fresh = { ...blankRule(policy, actorOf(grant), deps.clock.iso()), id }
    const rule = assertSafe(policy, row, withGiven(body, fresh, true))
    return { ...policy, rules: [...policy.rules, rule] }
  }
  const reason = given.reason ?? null
  const change: Change = { operation: 'POST /security/rules', target: null, body, action: 'rule.created', edit, reason }
  return writeRule(deps, grant, ref, id, change, given)
}

/** @throws SvcError `rule-not-found`, the refusals of rules, and what `changePolicy` throws */
export async function updateRule(deps: PolicyDeps, grant: Grant, ref: string, id: string, given: RuleUpdate) {
  const body = withoutControls(given)
  const edit: PolicyChange['edit'] = (policy, row) => {
    const was = findRule(policy, id)
    const next = withGiven(body, was, false)
    const isSame = JSON.stringify(next) === JSON.stringify(was)
    const rule = assertSafe(policy, row, isSame ? was : { ...next, version: was.version + 1 })
    return { ...policy, rules: policy.rules.map((it) => (it.id === id ? rule : it)) }
  }
  const reason = given.reason ?? null
  const change: Change = { operation: 'PUT /security/rules', target: id, body, action: 'rule.changed', edit, reason }
  return writeRule(deps, grant, ref, id, change, given)
}

/** @throws SvcError `rule-not-found`, and what `changePolicy` throws */
export async function removeRule(deps: PolicyDeps, grant: Grant, ref: string, id: string, controls: Controls) {
  const edit = (policy: Policy): Policy => {
    const rule = findRule(policy, id)
    const removed: RemovedRule = { ...rule, removedAt: deps.clock.iso(), removedBy: actorOf(grant) }
    return {
      ...policy,
      rules: policy.rules.filter((it) => it.id !== id),
      removedRules: [removed, ...policy.removedRules].slice(0, mostRemoved),
    }
  }
  const change: Change = { operation: 'DELETE /security/rules', target: id, body: {}, action: 'rule.removed', edit }
  const { warnings: _warnings, ...written } = await writeRule(deps, grant, ref, id, change, controls)
  return written
}

/** @throws SvcError `rule-not-found`, the refusals of rules, `security-limit-reached`, and what `changePolicy` throws */
export async function restoreRule(deps: PolicyDeps, grant: Grant, ref: string, id: string, controls: Controls) {
  const edit: PolicyChange['edit'] = (policy, row) => {
    const removed = policy.removedRules.find((it) => it.id === id)
    if (removed === undefined) throw new SvcError('rule-not-found', { rule: id })
    assertRuleRoom(policy)
    const { removedAt: _at, removedBy: _by, ...rule } = removed
    return {
      ...policy,
      rules: [...policy.rules, assertSafe(policy, row, rule)],
      removedRules: policy.removedRules.filter((it) => it.id !== id),
    }
  }
  const change: Change = {
    operation: 'POST /security/rules/restore',
    target: id,
    body: {},
    action: 'rule.restored',
    edit,
  }
  return writeRule(deps, grant, ref, id, change, controls)
}

/**
 * What a rule would do, without storing it: what is unsafe, what it changes, and what would have happened to recorded events.
 * @throws SvcError `environment-not-found`, `rule-not-found`, `rule-invalid`, `rule-expression-invalid`
 */
export async function previewRule(
  deps: PolicyDeps,
  grant: Grant,
  ref: string,
  { ruleId, ...given }: RulePreviewRequest,
) {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const { policy } = await readPolicy(read, row, row.policyVersion)
  const was = ruleId === undefined ? null : findRule(policy, ruleId)
  const rule = withGiven(given, was ?? blankRule(policy, actorOf(grant), deps.clock.iso()), was === null)
  const named = rule.name === '' ? { ...rule, name: 'New rule' } : rule
  const others = policy.rules.filter(({ id }) => id !== rule.id)
  const candidate: Policy = { ...policy, rules: [...others, named] }
  const changes = differencesOf(policy, candidate, deps.clock.iso())
  const matching = { yes: 0, no: 0, unknown: 0 }
  const guard = new Guard('gateway-rule')
  const events = await recentEvents(read, row, deps.clock.now())
  await guard.each(
    events,
    () => 1,
    (event) => {
      const truth = guard.within(stepsOfEvent, (steps) =>
        evaluate(rule.expression, { ...recordOf(event), steps }, leanOf(rule.action)),
      )
      if (truth === 'unknown') matching.unknown += event.count
      else matching[truth ? 'yes' : 'no'] += event.count
    },
  )
  return {
    expression: rule.expression as Record<string, unknown>,
    expressionText: printExpression(rule.expression),
    refusals: refusalsIn(policy, row, rule),
    warnings: warningsOf(rule),
    changes,
    approvalRequired: row.approvalsRequired && risksOf(changes).length > 0,
    matching,
    preview: await previewOf(read, row, candidate, deps.clock.now()),
  }
}
