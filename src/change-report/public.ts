import { escapeSentence } from '../report/escape.ts'
import type { ChangeModel, ReportedChange } from './model.ts'
import { escapePattern } from '../kernel/text.ts'

/** What a report says to the public in the place of consumers: no name, no number, and yet that there are some. */
const someConsumers = 'registered consumers'

const lists = ['breaking', 'nonBreaking', 'docsOnly'] as const

/** The names and handles of consumers in a model, as they are and as a report writes them, longer ones first. */
export const consumerNames = (model: ChangeModel): string[] =>
  [
    ...new Set([
      ...lists.flatMap((list) => model[list].flatMap(({ consumers }) => consumers.split(', '))),
      ...model.brokenConsumers.flatMap(({ handle, name }) => [handle, name]),
    ]),
  ]
    .filter((name) => name.trim() !== '')
    .flatMap((name) => [...new Set([name, escapeSentence(name)])])
    .sort((a, b) => b.length - a.length)

/** A model without the names of consumers: what a template says where there are some, and where there are none, stays true. */
export const publicModel = (model: ChangeModel): ChangeModel => {
  const hide = (changes: readonly ReportedChange[]) =>
    changes.map((it) => (it.consumers === '' ? it : { ...it, consumers: someConsumers }))
  return {
    ...model,
    breaking: hide(model.breaking),
    nonBreaking: hide(model.nonBreaking),
    docsOnly: hide(model.docsOnly),
    brokenConsumers:
      model.brokenConsumers.length === 0
        ? []
        : [{ handle: '', name: 'Registered consumers', reasons: 'See the breaking changes.' }],
  }
}

/**
 * A text that a person wrote over a rendered one, without names of consumers: lines of the rendered text that the public one
 * has not are left out, and a name anywhere else is replaced.
 * @param rendered the text with the names, and the same text for the public
 */
export const withoutNames = (
  edited: string,
  names: readonly string[],
  rendered: { readonly full: string; readonly hidden: string },
): string => {
  if (names.length === 0) return edited
  const hidden = new Set(rendered.hidden.split('\n'))
  const naming = new Set(rendered.full.split('\n').filter((line) => !hidden.has(line)))
  const anyName = new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.map(escapePattern).join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  return edited
    .split('\n')
    .filter((line) => !naming.has(line))
    .join('\n')
    .replaceAll(anyName, 'a consumer')
}
