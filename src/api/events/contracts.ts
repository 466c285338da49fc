import { Type } from '@sinclair/typebox'
import {
  event,
  exampleUrls,
  exampleVersion,
  inProject,
  ofVersion,
  type OfVersion,
  versionData,
  versionLinks,
  versionUrls,
} from './declare.ts'

interface ContractRevised {
  readonly sequence: number
  readonly project_id: string
  readonly project_slug: string
  readonly consumer_id: string
  readonly consumer_handle: string
  readonly revision: number
  readonly version_label: string
  /** How many declared items the version does not have. */
  readonly unresolved: number
}

interface ContractBroken extends OfVersion {
  readonly consumer_id: string
  readonly consumer_handle: string
  readonly revision: number
  /** How many declared items the version does not have any more. */
  readonly missing: number
  /** How many changes concern what the contract declares. */
  readonly changes: number
}

const { sequence, project_id, project_slug } = exampleVersion
const exampleConsumer = {
  consumer_id: '01980c61-4e5f-7a6b-9c7d-8e9f0a1b2c3d',
  consumer_handle: 'ticket-app',
  revision: 3,
}

/** Events about the contracts of consumers. */
export const contractEvents = {
  'contract.revised': event({
    type: 'contract.revised',
    title: 'ContractRevisedEvent',
    summary: 'A consumer contract has a new revision.',
    data: {
      ...inProject,
      consumer_id: Type.String(),
      consumer_handle: Type.String(),
      revision: Type.Integer(),
      version_label: Type.String({ description: 'The version that the declaration was resolved against.' }),
      unresolved: Type.Integer({ description: 'Declared items that the version does not have.' }),
    },
    example: { sequence, project_id, project_slug, ...exampleConsumer, version_label: '2.0.0', unresolved: 0 },
    dataOf: (payload: ContractRevised) => ({
      sequence: payload.sequence,
      project_id: payload.project_id,
      project_slug: payload.project_slug,
      consumer_id: payload.consumer_id,
      consumer_handle: payload.consumer_handle,
      revision: payload.revision,
      unresolved: payload.unresolved,
      version_label: payload.version_label,
    }),
  }),
  'contract.broken': event({
    type: 'contract.broken',
    title: 'ContractBrokenEvent',
    summary: 'A published version breaks a consumer contract: something that it declares is gone or breaks.',
    data: {
      ...ofVersion,
      consumer_id: Type.String(),
      consumer_handle: Type.String(),
      revision: Type.Integer({ description: 'The revision of the contract that it breaks.' }),
      missing: Type.Integer({ description: 'Declared items that the version does not have any more.' }),
      changes: Type.Integer({ description: 'Changes that concern what the contract declares.' }),
      urls: Type.Object(versionLinks),
    },
    example: { ...exampleVersion, ...exampleConsumer, missing: 1, changes: 2, urls: exampleUrls },
    dataOf: (payload: ContractBroken, links) => ({
      ...versionData(payload),
      consumer_id: payload.consumer_id,
      consumer_handle: payload.consumer_handle,
      revision: payload.revision,
      missing: payload.missing,
      changes: payload.changes,
      urls: versionUrls(payload, links),
    }),
  }),
}
