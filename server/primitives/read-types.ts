import type { ReadType } from '../analysis/door.ts'
import { sourceKinds, type SourceKind } from '../../src/types/limits.ts'
import { SvcError } from '../../src/errors.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { basesOf } from '../used-types/door.ts'
import { schemaLimit } from './service.ts'

/** How many types one import has at most. */
const mostTypes = 5000
/** The largest source, in bytes. */
export const sourceLimit = 16 * 1024 * 1024

/** The types of a document, and what was left out of it. */
export interface TypesRead {
  readonly types: readonly ReadType[]
  readonly problems: readonly { readonly code: string; readonly message: string; readonly pointer: string }[]
}

/** How a document is read. */
export interface ReadRequest {
  readonly text: string
  /** What it is called in messages. */
  readonly source: string
  readonly kind: SourceKind
  /** Null: the one that the document names, or the slug of the tenant. */
  readonly namespace: string | null
  readonly name: string | null
  readonly root: boolean
  /** Other names, by key. */
  readonly names: Readonly<Record<string, string>>
  /** The keys of the types to keep; null keeps all. */
  readonly select: readonly string[] | null
}

/** @throws SvcError `source-kind-unknown` */
export function sourceKindOf(kind: string | undefined): SourceKind {
  const found = sourceKinds.find((it) => it === (kind ?? 'json-schema'))
  if (found === undefined) throw new SvcError('source-kind-unknown', { kind: kind ?? '' })
  return found
}

/**
 * Reads the types of a document in an analysis.
 * @throws SvcError `bundle-malformed`, `types-unreadable`, `types-too-many`, `source-too-large`, `analysis-stopped`
 */
export async function readTypes(deps: Deps, grant: Grant, request: ReadRequest): Promise<TypesRead> {
  const { text, source, kind, namespace, name, root, names, select } = request
  if (Buffer.byteLength(text) > sourceLimit)
    throw new SvcError('source-too-large', { source, limit: sourceLimit, what: 'bytes' })
  const { id, slug } = tenantOf(grant)
  const options = { kind, namespace, name, root, names, bases: basesOf(deps, grant) }
  const read = await deps.analysis.run(id, 'types', { text, source, otherwise: slug, options })
  if ('refused' in read) throw new SvcError(read.refused, { reason: read.reason.replace(/\.$/, '') })
  const chosen = select === null ? read.types : read.types.filter(({ key }) => select.includes(key))
  if (chosen.length > mostTypes) throw new SvcError('types-too-many', { found: chosen.length, limit: mostTypes })
  const types = chosen.map((entry) => ({
    ...entry,
    errors:
      Buffer.byteLength(entry.schema) > schemaLimit
        ? [{ pointer: '', message: `The schema is larger than ${schemaLimit} bytes.` }, ...entry.errors]
        : entry.errors,
  }))
  return { types, problems: read.problems }
}
