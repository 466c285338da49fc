import { afterAll, beforeAll, expect, test } from 'bun:test'
import { environmentsApi } from '../../../src/api/environments.ts'
import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { gatewayApi } from '../../../src/api/gateway.ts'
import { outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { codeOf, openGateway, policyOf, type GatewayService } from '../../fixtures/gateway.ts'

interface Refusal {
  readonly code: string
  readonly changeDigest: string
  readonly approvalId: string
}

onBothEngines('removals', (makeDb) => {
  let it: GatewayService
  beforeAll(async () => {
    it = await openGateway(await makeDb(), true)
  })
  afterAll(async () => {
    await it.service.stop()
  })

  const ask = async (params: { readonly environment_id: string }) =>
    (await outcome(it.as('ann')(environmentsApi.remove, { params }))) as Refusal
  const exists = async (params: { readonly environment_id: string }): Promise<boolean> =>
    (await codeOf(it.as('eva')(environmentsApi.get, { params }))) !== 'environment-not-found'

  test('a rule that refuses requests is removed with another person', async () => {
    const { params } = it
    const body = { name: 'Admin', action: 'block' as const, expression: 'http.path starts "/admin"' }
    const { rule } = await it.as('ann')(gatewayApi.createRule, { params, body })
    const one = { ...params, rule_id: rule.id }
    const { changeDigest, approvalId } = (await outcome(
      it.as('ann')(gatewayApi.removeRule, { params: one }),
    )) as Refusal
    await it.as('ben')(gatewayRecordsApi.approve, { params, body: { changeDigest } })
    await it.as('ann')(gatewayRecordsApi.applyApproval, {
      params: { ...params, approval_id: approvalId },
      body: { changeDigest },
    })
    expect((await policyOf(it)).rules).toEqual([])
  })

  test('an environment needs another person where approvals are required', async () => {
    const { params } = it
    const { code, changeDigest, approvalId } = await ask(params)
    expect(code).toBe('approval-required')
    expect(await codeOf(it.as('ann')(environmentsApi.remove, { params, query: { approvalId } }))).toBe(
      'approval-required',
    )
    expect(await exists(params)).toBe(true)
    await it.as('ben')(gatewayRecordsApi.approve, { params, body: { changeDigest } })
    await it.as('ann')(environmentsApi.remove, { params, query: { approvalId } })
    expect(await exists(params)).toBe(false)
  })

  test('the deletion of an environment is applied as any approved change, and needs no one where approvals are not required', async () => {
    const made = async (name: string, required: boolean) => {
      const { id } = await it.as('ann')(environmentsApi.create, { body: { name, approvals: { required } } })
      return { environment_id: id }
    }
    const strict = await made('Strict', true)
    const { changeDigest, approvalId } = await ask(strict)
    await it.as('ben')(gatewayRecordsApi.approve, { params: strict, body: { changeDigest } })
    const { approval } = await it.as('ann')(gatewayRecordsApi.applyApproval, {
      params: { ...strict, approval_id: approvalId },
      body: { changeDigest },
    })
    expect(approval.id).toBe(approvalId)
    expect(await exists(strict)).toBe(false)
    const free = await made('Free', false)
    await it.as('ann')(environmentsApi.remove, { params: free })
    expect(await exists(free)).toBe(false)
  })
})
