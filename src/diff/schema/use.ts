import type { Direction } from '../../schema/schema-source.ts'
import type { PlacedValue } from '../side.ts'
import type { Separator } from '../wire/forms.ts'
import type { Separating } from '../wire/readings.ts'

/** How each side separates the items of an array in a text. */
export interface Separators {
  readonly base: Separator
  readonly head: Separator
}

/** Where a schema is used: on the way to the service or back, and who writes the value. */
export interface Use {
  readonly direction: Direction
  /** The client writes the value: a request, or the answer to a webhook. */
  readonly fromClient: boolean
  /** The value travels as text (a parameter, a header). */
  readonly textual?: boolean
  /** The text is a body or a part of one, and no parameter or header. */
  readonly inBody?: boolean
  /** How both sides separate the items of an array in a text. */
  readonly text?: Separators
  /** The properties that travel as texts of their own: those of forms, and the parts of multipart bodies. */
  readonly parts?: ReadonlyMap<string, Separators>
  /** The value is always sent, so that a default says nothing. */
  readonly always?: boolean
  /** The value can be written as XML. */
  readonly xml?: boolean
  /** A discriminator leads here: what is sent has one of these values in that property. */
  readonly selected?: { readonly property: string; readonly values: readonly string[] }
  /** What a branch is a branch of: a value that breaks there has to break here as well. */
  readonly whole?: { readonly base: readonly PlacedValue[]; readonly head: readonly PlacedValue[] }
}

/** The use of what is inside of a value: items of a list in a text are not lists of texts, members can be missing,
 * and nothing leads there but the whole. */
export const innerUse = (use: Use): Use => {
  if (isInner(use)) return use
  const { direction, fromClient, textual = false, inBody = false, xml = false } = use
  return {
    direction,
    fromClient,
    ...(textual ? { textual } : {}),
    ...(inBody ? { inBody } : {}),
    ...(xml ? { xml } : {}),
  }
}

const isInner = ({ text, always, selected, whole, parts }: Use): boolean =>
  text === undefined && always === undefined && selected === undefined && whole === undefined && parts === undefined

/** The use of a branch: the same value, so that its parts are written as those of the whole. */
export const branchUse = (use: Use): Use => (use.parts ? { ...innerUse(use), parts: use.parts } : innerUse(use))

/** The use of a property. */
export const propertyUse = (use: Use, name: string): Use => {
  const text = use.parts?.get(name)
  return text ? { ...innerUse(use), textual: true, inBody: true, text } : innerUse(use)
}

/** Whether a value is that of a parameter or header. */
export const isParameter = ({ textual = false, inBody = false }: Use): boolean => textual && !inBody

/** How the writer and the reader of a use separate items. */
export const separating = (
  { fromClient }: Use,
  { base, head }: Separators = { base: 'none', head: 'none' },
): Separating => (fromClient ? { from: base, to: head } : { from: head, to: base })

export const separatingParts = (use: Use, parts: ReadonlyMap<string, Separators>): ReadonlyMap<string, Separating> =>
  new Map([...parts].map(([name, it]) => [name, separating(use, it)]))
