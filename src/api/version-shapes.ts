import { Type, type Static } from '@sinclair/typebox'
import { dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'

/** The document that overlays were applied to, and the overlays. */
export const OverlayLineage = titled(
  'OverlayLineage',
  Type.Object(
    {
      base_digest: Type.String({ description: 'SHA-256 of the document before overlays.' }),
      overlays: Type.Array(
        Type.Object({
          digest: Type.String({ description: 'SHA-256 of the overlay.' }),
          title: Type.String(),
          source: Type.String({ description: 'Its path in the source, or the name that the request gave it.' }),
          actions: Type.Integer(),
          matches: Type.Integer({ description: 'How many places its actions selected, together.' }),
        }),
        { description: 'In the order in which they were applied.' },
      ),
    },
    { description: 'Absent where no overlay was applied.' },
  ),
)
export type OverlayLineage = Static<typeof OverlayLineage>

/** An overlay that was made for a document. */
export const WrittenOverlay = titled(
  'WrittenOverlay',
  Type.Object({
    text: Type.String({ description: 'The overlay (Overlay 1.1) as YAML.' }),
    actions: Type.Integer(),
  }),
)

/** Where the content of a version came from. */
export const Provenance = titled(
  'Provenance',
  Type.Object({
    source: Type.String({
      description: 'Origin of the content: a file, an archive, an address, a repository or "-" (standard input).',
    }),
    path: Type.Optional(Type.String({ description: 'Path of the document in an archive, folder or repository.' })),
    files: Type.Optional(Type.Integer({ description: 'Number of files it was bundled from, if more than one.' })),
    digest: Type.String(),
    importer: Type.String(),
    imported_at: dateTime(),
    commit: orNull(Type.String({ description: 'Commit of the repository that it was read at.' })),
    lineage: Type.Optional(OverlayLineage),
    warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String(), pointer: Type.String() })),
    project_name_field: Type.Optional(
      Type.String({
        description:
          'Field used as the project name at import; rendered documents keep it in info.x-svc-project-name-field.',
      }),
    ),
  }),
)
export type Provenance = Static<typeof Provenance>

/** A further document of a version, beside its main one: workflows or schemas. */
export const JoinedDocument = titled(
  'JoinedDocument',
  Type.Object({
    kind: Type.String({ description: 'arazzo or json-schema' }),
    name: Type.String(),
    classes: Type.Array(Type.String(), { description: 'Schemas that it adds.' }),
    syntax: oneOf(['json', 'yaml']),
    provenance: Provenance,
  }),
)
export type JoinedDocument = Static<typeof JoinedDocument>
