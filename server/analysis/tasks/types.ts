import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { digestText } from '../../../src/document/serialize.ts'
import { isObject } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { extractTypes, type ExtractOptions, type FoundType, type Refused } from '../../../src/types/extract.ts'
import { trimNamespace } from '../../../src/kernel/type-ref.ts'

/** A type of a document as it is stored: its schema as text, with the digest of its canonical form. */
export interface ReadType extends Omit<FoundType, 'schema'> {
  readonly schema: string
  readonly digest: string
}

interface Read {
  readonly types: readonly ReadType[]
  readonly problems: readonly { readonly code: string; readonly message: string; readonly pointer: string }[]
}

/**
 * Reads the types of a document; what it cannot read is refused with the reason.
 * @param input `namespace` null takes the one that the document names, or else `otherwise`
 */
export function run(input: {
  readonly text: string
  readonly source: string
  readonly otherwise: string
  readonly options: Omit<ExtractOptions, 'namespace'> & { readonly namespace: string | null }
}): Read | Refused {
  const document = parseDocument(input.text, { source: input.source })
  const { value } = document
  const own = isObject(value) && typeof value.namespace === 'string' ? trimNamespace(value.namespace) : ''
  const namespace = input.options.namespace ?? (own === '' ? input.otherwise : own)
  const found = extractTypes(document, { ...input.options, namespace })
  if ('refused' in found) return found
  const types = found.types.map(({ schema, ...rest }) => ({
    ...rest,
    schema: JSON.stringify(schema),
    digest: digestText(canonicalJson(schema)),
  }))
  return { types, problems: found.problems }
}
