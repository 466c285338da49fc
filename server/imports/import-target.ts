import type { ImportPlan, ImportRequest, ReplacedContent } from '../../src/api/imports.ts'
import type { ProjectRow, VersionRow } from '../records/door.ts'

/** What an import will do, and the rows it will do it to. */
export interface Planned {
  readonly plan: ImportPlan
  readonly project: ProjectRow | null
  /** The version that is there already under the label. */
  readonly version: VersionRow | null
}

/** Where a request wants one document to go. */
export interface ImportTarget extends Pick<
  ImportRequest,
  'project_id' | 'project_name' | 'project_slug' | 'version' | 'version_slug' | 'version_id' | 'publish'
> {
  /** A project of its own, whatever its slug. */
  readonly isNew?: boolean
  /** Only into a project that is there. */
  readonly mustExist?: boolean
}

/** What the document says about itself. */
export interface DocumentSummary {
  readonly name: string
  readonly version: string
  readonly operations: number
  readonly classes: number
  /** The kind of document: "openapi", "arazzo" … */
  readonly kind: string
  /** The classes that it brings to a version it joins. */
  readonly classNames: readonly string[]
}

/** What a draft has before another document takes its place. */
export const contentOf = ({
  digest,
  provenance,
  operationsCount,
  classesCount,
  updatedAt,
}: VersionRow): ReplacedContent => ({
  digest,
  source: provenance.path === undefined ? provenance.source : `${provenance.path} of ${provenance.source}`,
  operations: operationsCount,
  classes: classesCount,
  updated_at: updatedAt,
})
