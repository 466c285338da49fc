/** Lists of a step together with those of its workflow: what a step says again takes the place of what the workflow says. */
import { isObject, type Json, type JsonObject, textOf } from '../../kernel/json.ts'
import { isExpression } from './expression.ts'
import { componentsOf } from './parts.ts'

/** One entry of a combined list. */
export interface Combined {
  /** Its name; for a reference that cannot be resolved, the reference. */
  readonly name: string
  readonly value: JsonObject
  /** Why it has no value of its own. */
  readonly fault: 'invalid' | 'repeated' | null
}

interface ReusableKind {
  /** As components call it. */
  readonly components: 'parameters' | 'successActions' | 'failureActions'
  /** What tells entries apart. */
  readonly key: (value: JsonObject) => string
  readonly isEntry: (value: JsonObject) => boolean
}

const kinds = {
  parameters: {
    components: 'parameters',
    key: (it) => `${textOf(it.name)}\n${textOf(it.in)}`,
    isEntry: (it) => typeof it.name === 'string' && (it.in === undefined || typeof it.in === 'string'),
  },
  successActions: {
    components: 'successActions',
    key: (it) => textOf(it.name),
    isEntry: (it) => typeof it.name === 'string' && 'type' in it,
  },
  failureActions: {
    components: 'failureActions',
    key: (it) => textOf(it.name),
    isEntry: (it) => typeof it.name === 'string' && 'type' in it,
  },
} satisfies Record<string, ReusableKind>

function readList(list: Json | undefined, kind: ReusableKind, root: Json): Combined[] {
  const found: Combined[] = []
  const [invalid, valid] = [new Set<string>(), new Set<string>()]
  for (const it of Array.isArray(list) ? (list as readonly Json[]) : []) {
    if (!isObject(it)) continue
    const reference = 'reference' in it ? textOf(it.reference) : null
    if (reference !== null && !isExpression(reference, root)) {
      found.push({ name: reference, value: {}, fault: invalid.has(reference) ? 'repeated' : 'invalid' })
      invalid.add(reference)
      continue
    }
    const id = reference?.split('.').slice(2).join('.')
    const target = id === undefined ? it : componentsOf(root, kind.components)[id]
    if (!isObject(target) || !kind.isEntry(target)) continue
    const key = kind.key(target)
    found.push({ name: textOf(target.name), value: target, fault: valid.has(key) ? 'repeated' : null })
    valid.add(key)
  }
  return found
}

/** The entries that apply to a step, in order: those of the workflow, each replaced where the step has one of its name. */
export function combine(
  which: keyof typeof kinds,
  ofStep: Json | undefined,
  ofWorkflow: Json | undefined,
  root: Json,
): Combined[] {
  const kind: ReusableKind = kinds[which]
  const all = readList(ofWorkflow, kind, root)
  const id = (it: Combined): string => `${it.fault ?? ''}\n${it.fault === 'invalid' ? it.name : kind.key(it.value)}`
  const places = new Map<string, number>()
  for (const [at, it] of all.entries()) if (!places.has(id(it))) places.set(id(it), at)
  for (const it of readList(ofStep, kind, root)) {
    const at = places.get(id(it))
    if (at === undefined) places.set(id(it), all.push(it) - 1)
    else all[at] = it
  }
  return all
}
