import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { ImportPlan, ImportSource, RequestedOverlays } from './imports.ts'
import { LintGate, thresholds } from './lint.ts'
import { PrimitiveReview } from './primitive-shapes.ts'
import { bodyOf, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { FindingShape, GradeShape } from './shapes.ts'
import { Gate } from './versions.ts'
import { may, tenantParams } from './kit.ts'

export const SimilarProject = titled(
  'SimilarProject',
  Type.Object({
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    because: oneOf(['title', 'source'], 'What it has in common with the document.'),
  }),
)
export type SimilarProject = Static<typeof SimilarProject>

/** An overlay that was applied to a candidate, and what its actions did. */
export const OverlayPreview = titled(
  'OverlayPreview',
  Type.Object({
    source: Type.String({ description: 'The name that its file or the request gave it.' }),
    title: Type.String(),
    actions_total: Type.Integer(),
    matches: Type.Integer({ description: 'How many places all of its actions change, together.' }),
    actions: Type.Array(
      Type.Object({
        description: orNull(Type.String({ description: 'What its author says of it.' })),
        target: Type.String({ description: 'Its JSONPath query.' }),
        kind: oneOf(['update', 'copy', 'remove', 'none']),
        matches: Type.Integer({ description: 'How many places it changes; 0 is mostly a mistake.' }),
        places: Type.Array(Type.String(), { description: 'JSON Pointers of at most five of them.' }),
      }),
      { description: 'The first 100.' },
    ),
    unmatched: Type.Array(Type.String(), { description: 'A sentence with its place for each action without a place.' }),
  }),
)
export type OverlayPreview = Static<typeof OverlayPreview>

/** Lint reports of candidates: apart from those of versions, which the application reads without what an import is made of. */
export const preflightApi = {
  preflight: endpoint({
    id: 'lint.preflight',
    origin: 'own',
    method: 'POST',
    path: '/v1/lint/{tenant_slug}/preflight',
    summary: 'Lint and grade a candidate without storing it',
    description:
      'Give the text in `content`, or any source that an import takes in `source`. Findings come ranked: by severity, then by what their rule costs.',
    access: { ...may('versions:view'), agentTool: 'lint.preflight' },
    params: Type.Object(tenantParams),
    body: bodyOf({
      content: Type.Optional(Type.String({ description: 'The text of the document, JSON or YAML.' })),
      source: Type.Optional(ImportSource),
      name: Type.Optional(Type.String({ description: 'Name of `content` in findings.' })),
      format: Type.Optional(Type.String({ description: 'Id of an import format; detected when omitted.' })),
      root: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description: 'In a tree: the document, or the folder that reading is limited to.',
        }),
      ),
      overlays: Type.Optional(RequestedOverlays),
      target: Type.Optional(
        oneOf(
          ['catalog', 'types', 'project'],
          'catalog: the document by itself. types: also what the registry of types would do with it: new, identical and conflicting types. project: as the version of a project that an import would make, compared with what is published there.',
        ),
      ),
      project: Type.Optional(
        Type.String({ description: 'Id or slug of a project whose style guide applies instead of the default.' }),
      ),
      project_name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'With target project: the name that an import gets.',
        }),
      ),
      version: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'With target project: the label that an import gets.',
        }),
      ),
      ...thresholds,
    }),
    // An archive of 64 MB as base64, and what is around it.
    bodyLimit: 88 * 1024 * 1024,
    response: Type.Object({
      source: Type.String({ description: 'Name of the document in findings.' }),
      format: orNull(Type.Object({ kind: Type.String(), version: Type.String() })),
      target: oneOf(['catalog', 'types', 'project']),
      gate: LintGate,
      grade: GradeShape,
      findings: Type.Array(FindingShape),
      policy: Type.Object({
        verdict: oneOf(['pass', 'warn', 'blocked'], 'Verdict of the publishing policy on the candidate.'),
        guide: Type.String(),
        guide_id: Type.String(),
        gates: Type.Array(Gate),
      }),
      plan: orNull(ImportPlan),
      similar: Type.Array(SimilarProject, {
        description:
          'With target project: at most five other projects that hold a document of the same title or from the same address. Name one in `project_id` or `project_slug` to import into it.',
      }),
      types: orNull(PrimitiveReview),
      overlays: Type.Array(OverlayPreview, {
        description:
          'In the order in which they were applied; the rest of the answer is about what they made. Where one is refused, none is applied, and `refusal` says why.',
      }),
      refusal: orNull(
        Type.Object(
          { code: Type.String(), message: Type.String(), hint: Type.String() },
          { description: 'Why an import of it would be refused.' },
        ),
      ),
    }),
    errors: [
      'project-not-found',
      'analysis-stopped',
      'usage',
      'egress-denied',
      'fetch-failed',
      'git-failed',
      'source-refused',
      'source-path-missing',
      'source-empty',
      'source-ambiguous',
      'project-file-invalid',
    ],
  }),
} as const
