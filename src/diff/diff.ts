import type { Document } from '../document/document.ts'
import { Context } from './compare-context.ts'
import { compareDocument } from './compare-document.ts'
import { compareOperations } from './compare-operations.ts'
import type { Collected } from './collector.ts'
import { conclude } from './conclude.ts'
import type { DiffOptions, DiffResult } from './options.ts'
import { profiles } from './profile.ts'
import type { Profile } from './profile.ts'
import { Sameness } from './sameness.ts'
import { SchemaComparer } from './schema-compare.ts'
import { Schemas } from './schemas.ts'
import { Side } from './side.ts'
import { confirmWitness } from './witness.ts'

const profileOf = (given: DiffOptions['profile']): Profile =>
  given === undefined ? profiles.standard : typeof given === 'string' ? profiles[given] : given

/**
 * Compares two documents of one kind and judges every difference: facts first, verdicts by containment of the sets of
 * values, rules last, to explain. Pure and deterministic: the order of keys and the syntax (JSON, YAML) change nothing.
 *
 * @returns the changes in the order to show; documents that cannot be read give none, look at their `problems` first.
 */
export const diff = (base: Document, head: Document, options: DiffOptions = {}): DiffResult => {
  const sides = { base: new Side('base', base), head: new Side('head', head) }
  return conclude(collect(sides.base, sides.head, options), sides, options)
}

const collect = (base: Side, head: Side, options: DiffOptions): readonly Collected[] => {
  const profile = profileOf(options.profile)
  const sameness = new Sameness(base, head)
  if (sameness.same(base.root, head.root)) return []
  const schemas = new Schemas(base, head, sameness, { undeclared: 'no', formats: 'asserted', validate: confirmWitness })
  const comparer = new SchemaComparer(base, head, sameness, schemas, profile)
  const context = new Context(base, head, sameness, comparer, profile, options.asOf ?? null)
  compareDocument(context)
  compareOperations(context)
  return context.collector.finish()
}
