import { isCalendarDate } from '../kernel/calendar-date.ts'
import type { Document } from '../document/document.ts'
import { Sharing } from '../document/sharing.ts'
import { SvcError } from '../errors.ts'
import { Context } from './context.ts'
import { compareDocument } from './document/compare.ts'
import { compareOperations } from './operations/compare.ts'
import { compareTools } from './mcp-server/tools.ts'
import { compareWorkflows } from './arazzo/compare.ts'
import type { Witness } from './change.ts'
import { Collector } from './collector.ts'
import type { Collected } from './collector.ts'
import { conclude } from './conclude.ts'
import { nameFact, pairsOf, type NamedPair } from './library.ts'
import type { DiffOptions, DiffResult, Mode } from './options.ts'
import { policies, profileOf } from './profile.ts'
import type { Profile } from './profile.ts'
import { Sameness } from './sameness.ts'
import type { Judgement } from './schema/judgement.ts'
import { SchemaComparer } from './schema/compare.ts'
import { Schemas } from './schema/schemas.ts'
import { Side } from './side.ts'
import type { PlacedValue } from './side.ts'
import { unusedDifferences } from './unused.ts'
import { confirmWitness } from './witness.ts'

/**
 * Compares two documents of one kind and evaluates every difference: facts first, verdicts by containment of the sets of
 * values, rules last, to explain. Pure and deterministic: the order of keys and the syntax (JSON, YAML) change nothing.
 *
 * @returns the changes in the order to show; documents that cannot be read give none: `assertComparable` refuses them.
 * @throws SvcError `usage` where `asOf` is not a calendar date
 */
export const diff = (base: Document, head: Document, options: DiffOptions = {}): DiffResult => {
  if (options.asOf !== undefined && !isCalendarDate(options.asOf))
    throw new SvcError('usage', { reason: `"${options.asOf}" is not a calendar date such as 2026-01-31` })
  const sides = sidesOf(base, head)
  const { facts, witness } = collect(sides.base, sides.head, options)
  options.pause?.()
  const concluded = conclude(facts, sides, options)
  const unused = facts.length === 0 && !isSchema(sides.base) ? unusedDifferences(base.value, head.value) : []
  const result = unused.length === 0 ? concluded : { ...concluded, unused }
  return witness === undefined ? result : { ...result, witness: result.verdict === 'breaking' ? witness : null }
}

/** Both sides, with what they share; what finds that out is garbage afterwards. */
const sidesOf = (base: Document, head: Document): { readonly base: Side; readonly head: Side } => {
  // What a discriminator selects depends on the name of the schema that it is in.
  const sharing = new Sharing((value) => value.discriminator !== undefined)
  return { base: new Side('base', base, sharing), head: new Side('head', head, sharing) }
}

/** What was found; the witness of the whole where two schemas were compared. */
interface Findings {
  readonly facts: readonly Collected[]
  readonly witness?: Witness | null
}

const unmoved = Object.fromEntries(policies.map((it) => [it, 'judge'])) as Record<(typeof policies)[number], 'judge'>

const schemasOf = (base: Side, head: Side, sameness: Sameness, maxSteps?: number): Schemas =>
  new Schemas(base, head, sameness, {
    undeclared: 'yes',
    strict: true,
    formats: 'remarks',
    chosen: false,
    validate: confirmWitness('remarks'),
    ...(maxSteps === undefined ? {} : { maxSteps }),
  })

const root = (side: Side): readonly PlacedValue[] => [{ value: side.root, path: [] }]

/**
 * Decides whether every value of one JSON Schema is a value of another, without a look at what changed between them.
 * @param maxSteps where they shall be fewer than those of a comparison (see `Effort`)
 */
export function judgeSchemas(inner: Document, outer: Document, maxSteps?: number): Judgement {
  const { base, head } = sidesOf(inner, outer)
  const sameness = new Sameness(base, head)
  return schemasOf(base, head, sameness, maxSteps).judge(root(base), root(head), { direction: null, fromClient: true })
}

/** JSON Schema has no policy: a set of values is within another, or it is not. */
const collectSchemas = (base: Side, head: Side, options: DiffOptions): Findings => {
  const profile: Profile = { id: 'json-schema', summary: 'Containment alone decides.', stances: unmoved }
  const sameness = new Sameness(base, head)
  if (sameness.same(base.root, head.root)) return { facts: [], witness: null }
  const schemas = schemasOf(base, head, sameness)
  const comparer = new SchemaComparer(base, head, sameness, schemas, profile)
  const collector = new Collector()
  const mode = options.mode ?? 'backward'
  let witness: Witness | null = null
  let broken = false
  const named = pairsOf(base, head)
  const wholes = named.flatMap((it) => (it.base && it.head ? [[[it.base], [it.head]] as const] : []))
  for (const fromClient of mode === 'full' ? [true, false] : [mode === 'backward']) {
    const use = { direction: null, fromClient }
    for (const [before, after] of [[root(base), root(head)] as const, ...wholes]) {
      const judged = schemas.judge(before, after, use)
      witness ??= judged.witness
      broken ||= judged.verdict === 'breaking'
      collector.take(comparer.compare(before, after, use), null)
    }
  }
  for (const it of named) if (!it.base || !it.head) collector.add(nameFact(it, missesName(it, mode)), [])
  comparer.settle()
  const found = collector.finish()
  // A part that breaks proves nothing about a whole that no one could decide.
  const undecided = ({ fact, operations }: Collected): Collected =>
    fact.verdict === 'breaking'
      ? { fact: { ...fact, verdict: 'unknown', reason: 'it is undecided whether a value gets there' }, operations }
      : { fact, operations }
  return { facts: broken ? found : found.map(undecided), witness }
}

// Backward, what was there has to stay; forward, nothing may be new.
const missesName = ({ base }: NamedPair, mode: Mode): boolean =>
  mode === 'full' || (mode === 'backward') === (base !== null)

const isSchema = (side: Side): boolean => side.document.format === null || side.document.format.kind === 'json-schema'

const collect = (base: Side, head: Side, options: DiffOptions): Findings => {
  if (isSchema(base) && isSchema(head)) return collectSchemas(base, head, options)
  const profile = profileOf(options.profile)
  const sameness = new Sameness(base, head)
  if (sameness.same(base.root, head.root)) return { facts: [] }
  const schemas = new Schemas(base, head, sameness, {
    undeclared: 'no',
    strict: false,
    formats: 'asserted',
    chosen: profile.stances['response-choice-narrowed'] === 'safe',
    validate: confirmWitness('asserted'),
  })
  const comparer = new SchemaComparer(base, head, sameness, schemas, profile)
  const context = new Context(base, head, sameness, comparer, profile, options.asOf ?? null)
  const kinds = new Set([familyOf(base), familyOf(head)])
  const [only, other] = [...kinds]
  if (other !== undefined || only === 'json-schema') {
    context.note(null, {
      direction: null,
      area: 'document',
      kind: 'itself',
      action: 'changed',
      base: base.at([]),
      head: head.at([]),
      subject: 'the kind of the document',
      before: familyOf(base),
      after: familyOf(head),
      undecided: true,
      reason: 'documents of two kinds cannot be compared',
    })
  } else if (only === 'mcp') compareTools(context)
  else if (only === 'arazzo') compareWorkflows(context)
  else {
    compareDocument(context)
    compareOperations(context, options.pause)
  }
  comparer.settle()
  return { facts: context.collector.finish() }
}

const familyOf = (side: Side): string => {
  const kind = side.document.format?.kind ?? 'json-schema'
  return kind === 'swagger' ? 'openapi' : kind
}
