import type { Document } from '../document/document.ts'
import type { Documents } from '../document/reference.ts'
import { namesIn } from '../document/reference-names.ts'
import type { ValidateOptions } from '../schema/validate.ts'

/** What checks of values need to follow references out of a document: into other files and into registered types. */
export const outsideOf = (document: Document, documents: Documents): Pick<ValidateOptions, 'base' | 'external'> => ({
  base: document.source,
  external: (uri, written) => {
    const names = [uri, ...namesIn(document, written).map((it) => it.name), written]
    const name = names.find((it) => Object.hasOwn(documents, it))
    return name === undefined ? undefined : documents[name]?.value
  },
})
