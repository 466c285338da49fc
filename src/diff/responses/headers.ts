import type { Answer, Header } from '../model/api.ts'
import { compareContent } from '../content/compare.ts'
import type { Context } from '../context.ts'
import type { Use } from '../schema/use.ts'
import { objectAt } from '../side.ts'
import { differingType } from '../wire/forms.ts'
import { schemaOf, spellingOf, textOf } from '../wire/described.ts'

/** Compares a response header that may be on one side only. */
export const compareHeader = (
  context: Context,
  operation: string,
  base: Answer,
  head: Answer,
  name: string,
  flipped: boolean,
): void => {
  const a = base.headers.get(name)
  const b = head.headers.get(name)
  const common = {
    direction: 'response',
    area: 'header',
    subject: `header \`${(a ?? b)!.name}\` in the ${head.status} response`,
  } as const
  if (!a || !b) {
    const gone = a !== undefined
    context.note(operation, {
      ...common,
      kind: 'itself',
      action: gone ? 'removed' : 'added',
      base: a?.place ?? base.place,
      head: b?.place ?? head.place,
      before: a?.name ?? null,
      after: b?.name ?? null,
      breaking: gone ? a.required : b!.required && flipped,
      ...(gone && !a.required ? { policy: 'response-optional-header-removed' as const } : {}),
    })
    return
  }
  comparePair(context, operation, a, b, flipped, common)
}

const comparePair = (
  context: Context,
  operation: string,
  a: Header,
  b: Header,
  flipped: boolean,
  common: { readonly direction: 'response'; readonly area: 'header'; readonly subject: string },
): void => {
  context.docs(operation, a.place, b.place)
  const places = { base: a.place, head: b.place }
  if (a.required !== b.required)
    context.note(operation, {
      ...common,
      ...places,
      kind: 'required',
      action: b.required ? 'added' : 'removed',
      before: a.required,
      after: b.required,
      breaking: b.required === flipped,
    })
  const [before, after] = [objectAt(a.place).deprecated === true, objectAt(b.place).deprecated === true]
  if (before !== after)
    context.note(operation, { ...common, ...places, kind: 'deprecated', action: after ? 'added' : 'removed' })
  compareSpelling(context, operation, a, b, common)
  const use: Use = { direction: 'response', fromClient: flipped }
  if (a.content.size > 0 && b.content.size > 0) compareContent(context, operation, a.content, b.content, use)
  else {
    const [left, right] = [schemaOf(a), schemaOf(b)]
    if (left && right)
      context.collector.take(
        context.schemas.compare([left], [right], { ...use, ...textOf(a, b), textual: true }),
        operation,
      )
  }
}

/** Reports where the values of a header are written as other texts: by explode, or by a media type instead of a schema. */
const compareSpelling = (
  context: Context,
  operation: string,
  a: Header,
  b: Header,
  common: { readonly direction: 'response'; readonly area: 'header'; readonly subject: string },
): void => {
  const [before, after] = [spellingOf(a), spellingOf(b)]
  if (before.media !== null && after.media !== null) return
  if (before.media === after.media && before.style === after.style && before.explode === after.explode) return
  const type = differingType(
    { side: context.base, schema: schemaOf(a), spelling: before },
    { side: context.head, schema: schemaOf(b), spelling: after },
  )
  context.note(operation, {
    ...common,
    base: a.place,
    head: b.place,
    kind: 'serialisation',
    action: 'changed',
    before: before.media ?? { style: before.style, explode: before.explode },
    after: after.media ?? { style: after.style, explode: after.explode },
    breaking: type !== null,
    ...(type === null ? {} : { reason: `${type}s are written as another text` }),
  })
}
