import { SvcError } from '../../src/errors.ts'
import type { Grant } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { reviewTypes } from './review.ts'

/** What the registry of types would do with a document: refuse it, or import it as the review shows. */
export interface TypesPreflight {
  readonly refusal: SvcError | null
  /** Null where the document is refused. */
  readonly review: Awaited<ReturnType<typeof reviewTypes>> | null
}

/**
 * Reviews a document as an import of types; nothing is written. One without types, or with an invalid schema, is refused.
 * @param file the document with its kind
 * @throws SvcError `analysis-stopped`
 */
export async function preflightTypes(
  deps: Deps,
  grant: Grant,
  file: { readonly bytes: Uint8Array; readonly kind: string | null },
): Promise<TypesPreflight> {
  const content = new TextDecoder().decode(file.bytes)
  const sourceKind = file.kind === 'openapi' || file.kind === 'swagger' ? 'openapi' : 'json-schema'
  try {
    const review = await reviewTypes(deps, grant, { content, source_kind: sourceKind })
    const invalid = review.types.find(({ validation }) => !validation.valid)
    if (review.types.length === 0)
      return { refusal: new SvcError('types-unreadable', { reason: 'it has no types' }), review: null }
    if (invalid === undefined) return { refusal: null, review }
    const { errors } = invalid.validation
    const reason = (errors[0]?.message ?? 'it is invalid').replace(/\.$/, '')
    return { refusal: new SvcError('primitive-schema-invalid', { primitive: invalid.name, reason, errors }), review }
  } catch (error) {
    if (error instanceof SvcError && error.code !== 'analysis-stopped') return { refusal: error, review: null }
    throw error
  }
}
