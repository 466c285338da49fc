/** What the specification says about the governance of change: shapes, operations, and where every sentence is proven. */
import type { TSchema } from '@sinclair/typebox'
import { expect, test } from 'bun:test'
import { changeReportsApi, ChangeReport, ChangeReportPreview } from '../../../src/api/change-reports.ts'
import { compatibilityApi, CompatibilityCheck } from '../../../src/api/compatibility.ts'
import { AvailableSurface } from '../../../src/api/consumer-shapes.ts'
import { consumersApi } from '../../../src/api/consumers.ts'
import { diffApi } from '../../../src/api/diff.ts'
import type { Endpoint } from '../../../src/api/endpoint.ts'
import { migrationPlansApi, MigrationPlan } from '../../../src/api/migration-plans.ts'
import { missingProofs } from '../../proofs.ts'
import { proofs } from './proofs.ts'

const fieldsOf = (schema: TSchema | undefined): string[] =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

test('the shapes have every field that was promised', () => {
  const promised: readonly (readonly [TSchema | undefined, string])[] = [
    [
      ChangeReport,
      'id tenantId projectId publishedRevisionId changeModelJson baselineRevisionId renderedBody headerSnapshot footnoteSnapshot editedRenderedBody editedHeaderSnapshot editedFootnoteSnapshot effectiveRenderedBody effectiveHeaderSnapshot effectiveFootnoteSnapshot editedAt editedBy templateVersionId renderedAt regeneratedAt createdAt updatedAt',
    ],
    [
      ChangeReportPreview,
      'headerSnapshot renderedBody footnoteSnapshot fromVersionLabel toVersionLabel changeModelJson baselineRevisionId templateVersionId initialPublication',
    ],
    [changeReportsApi.edit.body, 'editedRenderedBody editedHeaderSnapshot editedFootnoteSnapshot clearEdits'],
    [changeReportsApi.regenerate.body, 'templateVersionId discardUserEdits'],
    [changeReportsApi.preview.body, 'changeReportBaselineMode changeReportBaselineRevisionId'],
    [compatibilityApi.check.body, 'baseRevisionId headRevisionId rules policy'],
    [
      CompatibilityCheck,
      'overall baseRevisionId headRevisionId findings ruleHits breakingChangeDocumentationIssueUrl reportFingerprint tenantCompatGateActive mergeBlockedByCompatGate deprecationWarnings deprecatedRevisionBlocked',
    ],
    [compatibilityApi.recordEvidence.body, 'baseRevisionId headRevisionId'],
    [MigrationPlan, 'project_id from_version_id to_version_id class_name rules'],
    [migrationPlansApi.put.body, 'project_id from_version_id to_version_id class_name rules'],
    [migrationPlansApi.counts.response, 'counts'],
    [AvailableSurface, 'version_record_id version_label operations'],
    [consumersApi.update.body, 'name description owner contact metadata'],
  ]
  for (const [schema, names] of promised)
    expect(names.split(' ').filter((name) => !fieldsOf(schema).includes(name))).toEqual([])
  // A handle never changes, and nobody gives pointers.
  expect(fieldsOf(consumersApi.update.body)).not.toContain('handle')
})

const line = ({ method, path, status = 200, access }: Endpoint): string => {
  const who = access.anonymous === true ? 'anyone' : access.credentials.join('+')
  const what = access.anonymous === true ? '' : (access.permission ?? '')
  return `${method} ${path} ${status} ${who} ${what}`.trim()
}

test('operations have the path, shape and access of the contract', () => {
  const consumers = '/v1/tenants/{tenant_slug}/projects/{project_ref}'
  const one = `${consumers}/consumers/{consumer_ref}`
  const report = '/v1/versions/{tenant_slug}/{project_id}/{version_record_id}/change-report'
  const compat = '/v1/versions/{tenant_slug}/{project_id}'
  const plans = '/v1/migration-plans/{tenant_slug}'
  const given = [consumersApi, changeReportsApi, compatibilityApi, migrationPlansApi, diffApi]
    .flatMap((api) => Object.values(api) as Endpoint[])
    .map(line)
  const promised = [
    `POST ${consumers}/consumer-pact-imports 201 user+api-key consumer_contracts:create`,
    `GET ${consumers}/consumer-surface 200 user+api-key consumer_contracts:view`,
    `GET ${consumers}/consumers 200 user+api-key consumer_contracts:view`,
    `POST ${consumers}/consumers 201 user+api-key consumer_contracts:create`,
    `GET ${one} 200 user+api-key consumer_contracts:view`,
    `PATCH ${one} 200 user+api-key consumer_contracts:edit`,
    `DELETE ${one} 204 user+api-key consumer_contracts:delete`,
    `GET ${one}/contract 200 user+api-key consumer_contracts:view`,
    `PUT ${one}/contract 201 user+api-key consumer_contracts:edit`,
    `GET ${one}/contract-revisions 200 user+api-key consumer_contracts:view`,
    `GET ${one}/can-i-deploy 200 user+api-key consumer_contracts:view`,
    `GET ${report} 200 user+api-key versions:view`,
    `PATCH ${report} 200 user versions:edit`,
    `POST ${report}/publish-preview 200 user versions:publish`,
    `POST ${report}/regenerate 200 user versions:edit`,
    `POST ${compat}/compatibility 200 user+api-key versions:view`,
    `POST ${compat}/compatibility/evidence 200 user+api-key versions:edit`,
    `GET ${compat}/{version_id}/compatibility/evidence 200 user+api-key versions:view`,
    `GET ${plans} 200 user+api-key versions:view`,
    `PUT ${plans} 200 user+api-key versions:edit`,
    `GET ${plans}/counts 200 user+api-key versions:view`,
  ]
  expect(promised.filter((it) => !given.includes(it))).toEqual([])
  // The one narrow scope that reaches any of them.
  const scoped = [consumersApi, changeReportsApi, compatibilityApi, migrationPlansApi, diffApi]
    .flatMap((api) => Object.values(api) as Endpoint[])
    .filter((it) => it.access.anonymous !== true && it.access.keyScope !== undefined)
  expect(scoped.map((it) => `${it.method} ${it.path}`)).toContain('POST /v1/diff/{tenant_slug}/classified')
  expect(scoped.filter((it) => !it.path.startsWith('/v1/diff/'))).toEqual([])
})

test('every sentence names the test that proves it, and that test is there', () => {
  expect(missingProofs(proofs)).toEqual([])
})
