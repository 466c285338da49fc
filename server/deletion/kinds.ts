/** What may have so much below it that it is deleted in parts. */
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { RootTable } from '../../db/bin/remove.ts'
import {
  consumers,
  documentReaders,
  embeddingEntries,
  embeddingTypes,
  environments,
  mcpApprovals,
  mcpEndpoints,
  mcpObservations,
  operations,
  primitiveRevisions,
  primitives,
  projects,
  repositories,
  styleGuideAssignments,
  styleGuides,
  tenants,
  versions,
  webhookDeliveries,
  webhookSubscriptions,
} from '../../db/tables.gen.ts'

interface Removed {
  readonly root: RootTable
  /** Tables whose rows are not kept in the bin. */
  readonly leftOut?: readonly PgTable[]
  /** What is counted for the list of the bin. */
  readonly counted?: Readonly<Record<string, PgTable>>
  /**
   * The values of unique columns, while it waits for its end: its name is free at once. Without them it is deleted in one transaction,
   * as other rows are read and written with it.
   */
  readonly vacated?: (id: string) => Readonly<Record<string, string>>
  /** The project whose summary is made again at the end. */
  readonly summarized?: PgColumn
}

// Readers hold credentials, vectors are made again.
const leftOutOfVersions = [documentReaders, embeddingEntries]

const removed = {
  project: {
    root: projects,
    leftOut: leftOutOfVersions,
    counted: { versions, consumers },
    vacated: (id) => ({ slug: `~${id}` }),
  },
  version: {
    root: versions,
    leftOut: leftOutOfVersions,
    counted: { operations },
    vacated: (id) => ({ label: `~${id}`, slug: `~${id}` }),
    summarized: versions.projectId,
  },
  type: { root: primitives, leftOut: [embeddingTypes], counted: { revisions: primitiveRevisions } },
  'style-guide': { root: styleGuides, counted: { assignments: styleGuideAssignments } },
  webhook: { root: webhookSubscriptions, leftOut: [webhookDeliveries], vacated: (id) => ({ urlKey: `~${id}` }) },
  'mcp-server': {
    root: mcpEndpoints,
    counted: { observations: mcpObservations, approvals: mcpApprovals },
    vacated: () => ({}),
  },
  repository: { root: repositories, vacated: (id) => ({ fullName: `~${id}` }) },
  environment: { root: environments, vacated: (id) => ({ slug: `~${id}` }) },
  tenant: { root: tenants, vacated: (id) => ({ slug: `~${id}` }) },
} as const satisfies Readonly<Record<string, Removed>>

export type RemovalKind = keyof typeof removed

/** How each kind is deleted. */
export const removalKinds: Readonly<Record<RemovalKind, Removed>> = removed

/** A kind by the name that a row has; undefined where this version of the program has none. */
export const removalNamed = (name: string): Removed | undefined =>
  Object.hasOwn(removed, name) ? removed[name as RemovalKind] : undefined
