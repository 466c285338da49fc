/** Policies as files: what `svc gateway compile` reads without a service. */
import { Type, type Static } from '@sinclair/typebox'
import { exceptionFields, RateLimit, ruleAction, ruleFields, ruleName } from '../../../src/api/gateway-shapes.ts'
import { oneOf, orNull } from '../../../src/kernel/shapes.ts'
import type { Json, Path } from '../../../src/kernel/json.ts'
import { parsePointer } from '../../../src/kernel/pointer.ts'
import { shapeProblems, type ShapeProblem } from '../../../src/kernel/shape-problems.ts'
import {
  effectiveModes,
  type Exception,
  exceptionRefusalsOf,
  type Expression,
  firstPolicy,
  groupIds,
  groupModes,
  InvalidExpression,
  parseExpression,
  type Policy,
  type Positive,
  type PositiveCheck,
  type PositiveMode,
  positiveModes,
  readExpression,
  refusalsOf,
  type Rule,
  tierIds,
} from '../../../src/gateway-policy/door.ts'

const strict = { additionalProperties: false }
const list = Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 50 })
const id = Type.Optional(Type.String({ pattern: '^[\\w-]{1,64}$' }))
const mode = oneOf(positiveModes)
const groupMode = oneOf(groupModes)
const group = Type.Union([
  groupMode,
  Type.Object({ mode: groupMode, reason: Type.Optional(Type.String({ maxLength: 1000 })) }, strict),
])
const checks = {
  unknownOperation: mode,
  method: mode,
  parameters: mode,
  undeclaredQuery: mode,
  contentType: mode,
  body: mode,
  security: mode,
}

/** The file: everything may be left out. */
const PolicyFile = Type.Object(
  {
    environment: Type.Optional(
      Type.Object(
        {
          slug: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' })),
          hostnames: Type.Optional(list),
          basePaths: Type.Optional(list),
        },
        strict,
      ),
    ),
    tier: Type.Optional(oneOf(tierIds)),
    paranoia: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
    threshold: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    bot: Type.Optional(groupMode),
    rate: Type.Optional(RateLimit),
    groups: Type.Optional(Type.Object(Object.fromEntries(groupIds.map((it) => [it, Type.Optional(group)])), strict)),
    rules: Type.Optional(
      Type.Array(Type.Object({ id, name: ruleName, action: ruleAction, ...ruleFields }, strict), { maxItems: 200 }),
    ),
    exceptions: Type.Optional(
      Type.Array(Type.Object({ id, ...exceptionFields, expiresAt: Type.String({ maxLength: 40 }) }, strict), {
        maxItems: 200,
      }),
    ),
    positive: Type.Optional(
      orNull(
        Type.Object(
          {
            mode: Type.Optional(mode),
            checks: Type.Optional(Type.Partial(Type.Object(checks, strict))),
            stripPrefix: Type.Optional(Type.String({ pattern: '^/', maxLength: 200 })),
          },
          strict,
        ),
      ),
    ),
  },
  strict,
)
type PolicyFile = Static<typeof PolicyFile>

export interface FilePolicy {
  readonly policy: Policy
  readonly environment: {
    readonly slug: string
    readonly hostnames: readonly string[]
    readonly basePaths: readonly string[]
  }
}

/** What a document allows unless the file says otherwise: clients in use often send more query parameters than are declared. */
const usualChecks: Readonly<Record<PositiveCheck, PositiveMode>> = {
  unknownOperation: 'block',
  method: 'block',
  parameters: 'block',
  undeclaredQuery: 'log',
  contentType: 'block',
  body: 'block',
  security: 'log',
}
const positiveOf = (given: NonNullable<PolicyFile['positive']>): Positive => ({
  projectId: 'file',
  version: 'latest',
  mode: given.mode ?? 'block',
  checks: { ...usualChecks, ...given.checks },
  stripPrefix: given.stripPrefix ?? null,
})

/** The policy without a file: the usual tier, and what the document allows. */
export const usualPolicy = (hasDocument: boolean): Policy => ({
  ...firstPolicy(),
  positive: hasDocument ? positiveOf({}) : null,
})

type Found = ShapeProblem[]
const unknownDate = '1970-01-01T00:00:00.000Z'

function expressionOf(given: NonNullable<PolicyFile['rules']>[number], at: Path, found: Found): Expression | null {
  const written = given.expressionText ?? given.expression
  const name = given.expressionText === undefined ? 'expression' : 'expressionText'
  const problem = (path: Path, message: string) => {
    found.push({ path, isKey: false, message })
    return null
  }
  if (written === undefined) return problem(at, `The rule "${given.name}" has no expression`)
  if (typeof written === 'string') {
    const { tree, problem: wrong } = parseExpression(written)
    return (
      tree ?? problem([...at, name], `Line ${wrong.line}, column ${wrong.column} of the expression: ${wrong.reason}`)
    )
  }
  try {
    return readExpression(written)
  } catch (error) {
    if (!(error instanceof InvalidExpression)) throw error
    return problem([...at, name, ...(parsePointer(error.problem.pointer) ?? [])], error.problem.reason)
  }
}

function rulesOf({ rules = [] }: PolicyFile, found: Found): Rule[] {
  return rules.flatMap((given, index) => {
    const at: Path = ['rules', index]
    const expression = expressionOf(given, at, found)
    if (expression === null) return []
    if (given.action === 'rate-limit' && (given.rate ?? null) === null)
      found.push({ path: at, isKey: false, message: `The rule "${given.name}" needs a rate` })
    const skipped = given.groups ?? []
    return [
      {
        id: given.id ?? `rule-${index + 1}`,
        name: given.name,
        enabled: given.enabled ?? true,
        action: given.action,
        status: given.status ?? null,
        expression,
        order: given.order ?? (index + 1) * 10,
        reason: given.reason ?? '',
        groups: given.action === 'skip' && skipped.length === 0 ? [...groupIds] : skipped,
        rate: given.rate == null ? null : { key: 'ip', ...given.rate },
        version: 1,
        createdBy: null,
        createdAt: unknownDate,
      },
    ]
  })
}

function exceptionsOf({ exceptions = [] }: PolicyFile, found: Found): Exception[] {
  return exceptions.flatMap((given, index) => {
    const { route = null, path = null, method = null, field = null } = given.scope
    const exception: Exception = {
      id: given.id ?? `exception-${index + 1}`,
      scope: { route, path, method, field },
      target: { groups: given.target.groups ?? [], ruleRefs: given.target.ruleRefs ?? [] },
      reason: given.reason,
      ticket: given.ticket ?? null,
      createdAt: unknownDate,
      createdBy: null,
      expiresAt: given.expiresAt,
      removedAt: null,
      policyVersion: 1,
      approvalId: null,
    }
    const end = Date.parse(exception.expiresAt)
    if (Number.isNaN(end)) {
      found.push({
        path: ['exceptions', index],
        isKey: false,
        message: 'The end of the exception is not an instant; write it as 2026-12-24T00:00:00Z',
      })
      return []
    }
    // When it was made is not known, so that only its scope is checked.
    const [refusal] = exceptionRefusalsOf(exception, new Date(end - 1).toISOString())
    if (refusal !== undefined)
      found.push({
        path: ['exceptions', index],
        isKey: false,
        message: `The exception is refused (${refusal.code}): ${refusal.reason}`,
      })
    return [exception]
  })
}

function twice(ids: readonly { readonly id: string }[], name: string, found: Found): void {
  for (const [index, { id: own }] of ids.entries())
    if (ids.findIndex((it) => it.id === own) < index)
      found.push({ path: [name, index], isKey: false, message: `${name}[${index}] has the id "${own}" of another one` })
}

/**
 * Reads a policy.
 * @param value what the file contains
 * @param hasDocument whether there is a document that the policy can be bound to
 * @returns the policy and the environment that it is for; or everything that is wrong, at its place
 */
export function readPolicyFile(value: Json, hasDocument: boolean): FilePolicy | readonly ShapeProblem[] {
  const shape = shapeProblems(PolicyFile, value)
  if (shape.length > 0) return shape
  const file = value as PolicyFile
  const found: Found = []
  const first = firstPolicy(file.tier)
  const given = Object.entries((file.groups ?? {}) as Readonly<Record<string, Static<typeof group>>>)
  const policy: Policy = {
    presets: {
      ...first.presets,
      paranoia: file.paranoia ?? null,
      threshold: file.threshold ?? null,
      bot: file.bot ?? first.presets.bot,
      rate: file.rate === undefined ? null : { key: 'ip', ...file.rate },
    },
    groups: Object.fromEntries(
      given.map(([name, it]) => [
        name,
        typeof it === 'string' ? { mode: it, reason: null } : { mode: it.mode, reason: it.reason ?? null },
      ]),
    ),
    rules: rulesOf(file, found),
    removedRules: [],
    exceptions: exceptionsOf(file, found),
    positive: file.positive === null || !hasDocument ? null : positiveOf(file.positive ?? {}),
  }
  if (found.length === 0) {
    twice(policy.rules, 'rules', found)
    twice(policy.exceptions, 'exceptions', found)
  }
  const { slug = 'local', hostnames = [], basePaths = [] } = file.environment ?? {}
  const modes = effectiveModes(policy)
  const groupsInUse = groupIds.filter((it) => modes[it].mode !== 'off')
  if (found.length === 0)
    for (const [index, rule] of policy.rules.entries())
      for (const { code, reason } of refusalsOf(rule, { groupsInUse, basePaths }))
        found.push({
          path: ['rules', index],
          isKey: false,
          message: `The rule "${rule.name}" is refused (${code}): ${reason}`,
        })
  return found.length > 0 ? found : { policy, environment: { slug, hostnames, basePaths } }
}
