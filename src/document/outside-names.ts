/** What an API description names out of itself by something else than a reference: values of examples, and operations of links. */
import type { Document } from './document.ts'
import type { Link } from './links.ts'
import { visitNodes } from './references-in-document.ts'

const isRelative = (ref: string): boolean => ref !== '' && !ref.startsWith('#') && !/^[a-z][a-z0-9+.-]*:/i.test(ref)

/** A name of something outside, in the field of an example or a link. */
export interface OutsideName extends Link {
  readonly field: 'externalValue' | 'operationRef'
}

/**
 * The names that lead to files: `externalValue` of examples and `operationRef` of links that are neither addresses nor places of the
 * document itself. `path` is that of the field. Descriptions are valid without these files, so the names are loose.
 */
export function findOutsideNames({ value, text }: Pick<Document, 'value' | 'text'>): OutsideName[] {
  if (!/externalValue|operationRef/.test(text)) return []
  const found: OutsideName[] = []
  visitNodes(value, (node, path, { base }, role) => {
    if (role === 'schema' || role === 'stray') return
    for (const field of ['externalValue', 'operationRef'] as const) {
      const ref = node[field]
      if (typeof ref === 'string' && isRelative(ref))
        found.push({ ref, path: [...path, field], base, isLoose: true, field })
    }
  })
  return found
}

/** The files that hold the values of examples. */
export const findExternalValues = (document: Document): OutsideName[] =>
  findOutsideNames(document).filter((it) => it.field === 'externalValue')
