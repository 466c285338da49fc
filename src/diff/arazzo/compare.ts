import type { Context } from '../context.ts'
import { isObject, type Json } from '../../kernel/json.ts'
import { isSameValue } from '../sameness.ts'
import { objectAt, textAt } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'

const byId = (side: Side, list: PlacedValue | null, word: string): ReadonlyMap<string, PlacedValue> =>
  new Map(
    side
      .elements(list)
      .flatMap((it): [string, PlacedValue][] => (textAt(it, word) === null ? [] : [[textAt(it, word)!, it]])),
  )

/**
 * A list with its Reusable Objects replaced by what they name, so that a change of a component is a change of the steps that
 * use it. Anything else, and a reference that cannot be resolved, stays as it is.
 */
function filledIn(side: Side, value: Json | undefined): Json | undefined {
  if (!Array.isArray(value)) return value
  return (value as readonly Json[]).map((entry) => {
    if (!isObject(entry) || typeof entry.reference !== 'string') return entry
    const [, kind = '', name = ''] = /^\$components\.([A-Za-z]+)\.(.+)$/.exec(entry.reference) ?? []
    const target = side.at(['components', kind, name])
    if (target === null || !isObject(target.value)) return entry
    return entry.value === undefined ? target.value : { ...target.value, value: entry.value }
  })
}

/** What a step says, and what people call it. */
const stepWords: readonly (readonly [string, string])[] = [
  ['operationId', 'operation'],
  ['operationPath', 'operation'],
  ['channelPath', 'channel'],
  ['workflowId', 'workflow called'],
  ['action', 'action'],
  ['correlationId', 'correlation id'],
  ['timeout', 'timeout'],
  ['dependsOn', 'steps waited for'],
  ['parameters', 'parameters'],
  ['requestBody', 'request body'],
  ['successCriteria', 'success criteria'],
  ['onSuccess', 'actions on success'],
  ['onFailure', 'actions on failure'],
  ['outputs', 'outputs'],
]

const compareStep = (context: Context, name: string, subject: string, left: PlacedValue, right: PlacedValue): void => {
  context.docs(name, left, right)
  const [before, after] = [objectAt(left), objectAt(right)]
  for (const [word, label] of stepWords) {
    const [one, other] = [filledIn(context.base, before[word]), filledIn(context.head, after[word])]
    if (isSameValue(one, other)) continue
    context.note(name, {
      direction: null,
      area: 'workflow',
      kind: 'step',
      action: 'changed',
      base: left,
      head: right,
      subject: `the ${label} of ${subject}`,
      before: one ?? null,
      after: other ?? null,
    })
  }
}

const compareSteps = (context: Context, name: string, a: PlacedValue, b: PlacedValue): void => {
  const before = byId(context.base, context.base.member(a, 'steps'), 'stepId')
  const after = byId(context.head, context.head.member(b, 'steps'), 'stepId')
  for (const id of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const left = before.get(id)
    const right = after.get(id)
    const subject = `step \`${id}\` of workflow \`${name}\``
    if (left && right) {
      compareStep(context, name, subject, left, right)
      continue
    }
    context.note(name, {
      direction: null,
      area: 'workflow',
      kind: 'step',
      action: left ? 'removed' : 'added',
      base: left ?? a,
      head: right ?? b,
      subject,
      before: left?.value ?? null,
      after: right?.value ?? null,
    })
  }
  const order = [
    [...before.keys()].filter((id) => after.has(id)),
    [...after.keys()].filter((id) => before.has(id)),
  ] as const
  if (isSameValue([...order[0]], [...order[1]])) return
  context.note(name, {
    direction: null,
    area: 'workflow',
    kind: 'step-order',
    action: 'changed',
    base: a,
    head: b,
    subject: `the order of the steps of workflow \`${name}\``,
    before: [...order[0]],
    after: [...order[1]],
  })
}

/** The documents that the workflows call operations of. */
const compareSources = (context: Context): void => {
  const before = byId(context.base, context.base.at(['sourceDescriptions']), 'name')
  const after = byId(context.head, context.head.at(['sourceDescriptions']), 'name')
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [a, b] = [before.get(name) ?? null, after.get(name) ?? null]
    context.docs(null, a, b)
    const [left, right] = [a, b].map((it) =>
      it ? { url: objectAt(it).url ?? null, type: objectAt(it).type ?? null } : null,
    )
    if (isSameValue(left ?? null, right ?? null)) continue
    context.note(null, {
      direction: null,
      area: 'workflow',
      kind: 'source',
      action: a ? (b ? 'changed' : 'removed') : 'added',
      base: a,
      head: b,
      subject: `source description \`${name}\``,
      before: left?.url ?? null,
      after: right?.url ?? null,
    })
  }
}

const compareOutputs = (context: Context, name: string, a: PlacedValue, b: PlacedValue): void => {
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
  compareSources(context)
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
      const anything = (owner: PlacedValue): PlacedValue => ({ value: true, path: owner.path })
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
      const [before, after] = [filledIn(context.base, one[word]), filledIn(context.head, other[word])]
      if (isSameValue(before, after)) continue
      context.note(name, {
        direction: null,
        area: 'workflow',
        kind: 'itself',
        action: 'changed',
        base: a,
        head: b,
        subject: `${word} of workflow \`${name}\``,
        before: before ?? null,
        after: after ?? null,
      })
    }
  }
}
