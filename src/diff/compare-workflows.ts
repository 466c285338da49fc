import type { Context } from './compare-context.ts'
import { isSameValue } from './sameness.ts'
import { objectAt, textAt } from './side.ts'
import type { Place, Side } from './side.ts'

const byId = (side: Side, list: Place | null, word: string): ReadonlyMap<string, Place> =>
  new Map(
    side
      .elements(list)
      .flatMap((it): [string, Place][] => (textAt(it, word) === null ? [] : [[textAt(it, word)!, it]])),
  )

const docs = new Set(['description', 'summary'])

const withoutDocs = (place: Place): object =>
  Object.fromEntries(Object.entries(objectAt(place)).filter(([key]) => !docs.has(key) && !key.startsWith('x-')))

const compareSteps = (context: Context, name: string, a: Place, b: Place): void => {
  const before = byId(context.base, context.base.member(a, 'steps'), 'stepId')
  const after = byId(context.head, context.head.member(b, 'steps'), 'stepId')
  for (const id of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const left = before.get(id) ?? null
    const right = after.get(id) ?? null
    context.docs(name, left, right)
    if (left && right && JSON.stringify(sorted(withoutDocs(left))) === JSON.stringify(sorted(withoutDocs(right))))
      continue
    context.note(name, {
      direction: null,
      area: 'workflow',
      kind: 'step',
      action: left ? (right ? 'changed' : 'removed') : 'added',
      base: left ?? a,
      head: right ?? b,
      subject: `step \`${id}\` of workflow \`${name}\``,
      before: left?.value ?? null,
      after: right?.value ?? null,
    })
  }
}

/** The same value with its keys in order, for comparing texts. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, it]) => [key, sorted(it)]),
  )
}

const compareOutputs = (context: Context, name: string, a: Place, b: Place): void => {
  const before = objectAt(context.base.member(a, 'outputs'))
  const after = objectAt(context.head.member(b, 'outputs'))
  for (const id of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    if (isSameValue(before[id], after[id])) continue
    const gone = after[id] === undefined
    context.note(name, {
      direction: 'response',
      area: 'workflow',
      kind: 'output',
      action: gone ? 'removed' : before[id] === undefined ? 'added' : 'changed',
      base: a,
      head: b,
      subject: `output \`${id}\` of workflow \`${name}\``,
      before: before[id] ?? null,
      after: after[id] ?? null,
      breaking: gone,
    })
  }
}

/** Compares the workflows of two Arazzo documents: what goes in, what comes out, what happens in between. */
export const compareWorkflows = (context: Context): void => {
  const base = byId(context.base, context.base.at(['workflows']), 'workflowId')
  const head = byId(context.head, context.head.at(['workflows']), 'workflowId')
  context.docs(null, context.base.at([]), context.head.at([]))
  context.docs(null, context.base.at(['info']), context.head.at(['info']), ['version'])
  for (const name of [...new Set([...base.keys(), ...head.keys()])].sort()) {
    const a = base.get(name)
    const b = head.get(name)
    if (!a || !b) {
      context.appeared('workflow', name, a, b)
      continue
    }
    context.docs(name, a, b)
    const left = context.base.member(a, 'inputs')
    const right = context.head.member(b, 'inputs')
    if (left || right) {
      const anything = (owner: Place): Place => ({ value: true, path: owner.path })
      context.collector.take(
        context.schemas.compare([left ?? anything(a)], [right ?? anything(b)], {
          direction: 'request',
          fromClient: true,
        }),
        name,
      )
    }
    compareSteps(context, name, a, b)
    compareOutputs(context, name, a, b)
    const [one, other] = [objectAt(a), objectAt(b)]
    for (const word of ['dependsOn', 'parameters', 'successActions', 'failureActions'] as const) {
      if (isSameValue(one[word], other[word])) continue
      context.note(name, {
        direction: null,
        area: 'workflow',
        kind: 'itself',
        action: 'changed',
        base: a,
        head: b,
        subject: `${word} of workflow \`${name}\``,
        before: one[word] ?? null,
        after: other[word] ?? null,
      })
    }
  }
}
