import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { Resource } from '../../document/resource.ts'
import type { Selected } from '../selection.ts'
import type { Evaluated } from './evaluated.ts'
import type { InstancePath, Run } from './run.ts'

const written: Selected = { is: 'written' }

/** What the discriminator of a schema says about a value, where the one who asks knows about discriminators. */
export const selectedIn = (run: Run, s: JsonObject, value: Json): Selected => {
  if (run.options.select === undefined || s.discriminator === undefined || !isObject(value)) return written
  // Which branch counts depends on the value, so what was taken to hold elsewhere may turn.
  run.targets.inversions++
  return run.options.select(s, value)
}

/** Checks a value against the schema that a discriminator without branches selects. */
export function checkHeir(
  run: Run,
  s: JsonObject,
  value: Json,
  place: InstancePath | null,
  at: Resource,
  into: Evaluated | null,
): boolean {
  if (s.discriminator === undefined || Array.isArray(s.oneOf) || Array.isArray(s.anyOf)) return true
  const selected = selectedIn(run, s, value)
  if (selected.is === 'none') return run.fail(place, 'discriminator', 'must select a schema', {})
  return selected.is !== 'schema' || run.check(selected.schema, value, place, at, into)
}
