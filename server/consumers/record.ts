import type { ConsumerContractRecord, ConsumerRecord, ContractRevision } from '../../src/api/consumer-shapes.ts'
import type { consumers, contractRevisions } from '../../db/tables.gen.ts'

export type ConsumerRow = typeof consumers.$inferSelect
export type RevisionRow = typeof contractRevisions.$inferSelect
/** A revision without what it declares: for lists. */
export type RevisionHead = Omit<RevisionRow, 'contract' | 'warnings'>

/** A consumer as the contract shows it. */
export const toConsumerRecord = (row: ConsumerRow): ConsumerRecord => ({
  id: row.id,
  project_id: row.projectId,
  handle: row.handle,
  name: row.name,
  description: row.description,
  owner: row.owner,
  contact: row.contact,
  metadata: { ...row.metadata },
  created_by: row.createdBy,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  retired_at: row.retiredAt,
})

export const toRevision = (row: RevisionHead): ContractRevision => ({
  id: row.id,
  consumer_id: row.consumerId,
  revision: row.revision,
  source: row.source,
  origin: { ...row.origin },
  version_record_id: row.versionId,
  version_label: row.versionLabel,
  operations_count: row.operationsCount,
  fields_count: row.fieldsCount,
  parameters_count: row.parametersCount,
  unresolved_count: row.unresolved.length,
  created_by: row.createdBy,
  created_at: row.createdAt,
})

const writableFields = (fields: readonly { field: string; pointers: readonly string[] }[]) =>
  fields.map(({ field, pointers }) => ({ field, pointers: [...pointers] }))

/** A revision with everything it declares. */
export const toContractRecord = (row: RevisionRow): ConsumerContractRecord => ({
  ...toRevision(row),
  operations: row.contract.operations.map((operation) => ({
    ...operation,
    request: writableFields(operation.request),
    responses: operation.responses.map((answer) => ({ ...answer, fields: writableFields(answer.fields) })),
    parameters: [...operation.parameters],
  })),
  unresolved: [...row.unresolved],
  warnings: [...row.warnings],
})
