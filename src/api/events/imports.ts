import { Type } from '@sinclair/typebox'
import { oneOf, orNull } from '../../kernel/shapes.ts'
import type { ImportSummary } from '../imports.ts'
import { event, type EventLinks, exampleLinks, exampleVersion, sequence } from './declare.ts'

interface OfImport {
  readonly import_id: string
  readonly bulk: boolean
  readonly source: string
}

interface ImportCompleted extends OfImport {
  readonly status: 'completed' | 'completed_with_warnings'
  /** Null where it is about no single project. */
  readonly sequence: number | null
  readonly project_id: string | null
  readonly project_slug: string | null
  readonly version_id: string | null
  readonly label: string | null
  readonly unchanged: boolean
  /** Of a bulk import. */
  readonly documents: ImportSummary | null
}

interface ImportFailed extends OfImport {
  readonly status: 'blocked' | 'failed'
  readonly error_code: string | null
}

const ofImport = {
  import_id: Type.String(),
  bulk: Type.Boolean({ description: 'Whether each document was imported by itself.' }),
  source: Type.String({ description: 'Name or address of what was imported.' }),
}
const urls = Type.Object({ import: Type.String({ description: 'The import in the API.' }) })

const importData = ({ import_id, bulk, source }: OfImport, { publicUrl }: EventLinks) => ({
  import_id,
  bulk,
  source,
  urls: { import: `${publicUrl}/v1/imports/${import_id}` },
})

const documentCounts = ({ created, updated, unchanged, blocked, failed }: ImportSummary) => ({
  created,
  updated,
  unchanged,
  blocked,
  failed,
})

const exampleImport = importData(
  { import_id: '01980c64-2b3c-7d4e-9f5a-6b7c8d9e0f1a', bulk: false, source: 'https://example.com/openapi.yaml' },
  exampleLinks,
)

/** Events about imports. */
export const importEvents = {
  'import.completed': event({
    type: 'import.completed',
    title: 'ImportCompletedEvent',
    summary: 'An import ended and stored what it was asked to.',
    data: {
      sequence: orNull(sequence),
      ...ofImport,
      status: oneOf(['completed', 'completed_with_warnings']),
      project_id: orNull(Type.String({ description: 'Null for a bulk import.' })),
      project_slug: orNull(Type.String()),
      version_id: orNull(Type.String()),
      version_label: orNull(Type.String()),
      unchanged: Type.Boolean({ description: 'The same content was stored already; nothing was created.' }),
      documents: orNull(
        Type.Object(
          {
            created: Type.Integer(),
            updated: Type.Integer(),
            unchanged: Type.Integer(),
            blocked: Type.Integer(),
            failed: Type.Integer(),
          },
          { description: 'Results of the documents of a bulk import.' },
        ),
      ),
      urls,
    },
    example: { ...exampleVersion, ...exampleImport, status: 'completed', unchanged: false, documents: null },
    dataOf: (payload: ImportCompleted, links) => ({
      sequence: payload.sequence,
      project_id: payload.project_id,
      project_slug: payload.project_slug,
      version_id: payload.version_id,
      version_label: payload.label,
      ...importData(payload, links),
      status: payload.status,
      unchanged: payload.unchanged,
      documents: payload.documents === null ? null : documentCounts(payload.documents),
    }),
  }),
  'import.failed': event({
    type: 'import.failed',
    title: 'ImportFailedEvent',
    summary: 'An import ended and stored nothing: it failed, or a gate blocked it.',
    data: {
      ...ofImport,
      status: oneOf(['blocked', 'failed']),
      error_code: orNull(
        Type.String({ description: 'A code of errors.md; null where a threshold of the request blocked it.' }),
      ),
      urls,
    },
    example: { ...exampleImport, status: 'failed', error_code: 'document-invalid' },
    dataOf: (payload: ImportFailed, links) => ({
      ...importData(payload, links),
      status: payload.status,
      error_code: payload.error_code,
    }),
  }),
}
