/** Changes of a policy that wait for another person, and changes on a policy that is a newer one meanwhile. */
import { expect, test } from 'bun:test'
import { SvcError } from '../../src/errors.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const rules = '/app/t/acme/-/gateway/production/policy/rules'
const expiresAt = '2026-11-24T10:00:00.000Z'
const risks = ['The rule Administration from outside stops applying.']
const required = new SvcError('approval-required', {
  risks,
  changeDigest: 'sha256:1',
  approvalId: 'a7',
  policyVersion: 3,
  expiresAt,
})

test('a risky change says what it is and who can approve it, and is repeated as it was once it is approved', async () => {
  const { page } = on
  let state = 'pending'
  const summary = ['The rule "Administration from outside" is switched off.']
  const chosen = { applyWhenApproved: false, notApplied: null }
  await page.route('**/security/approvals?*', (route) =>
    route.fulfill({ json: { approvals: [{ id: 'a7', state, summary, approversMin: 2, ...chosen }], total: 1 } }),
  )
  on.fake.state.refusals.set('gateway.update-rule', required)
  await on.go(rules)
  await page.getByRole('switch', { name: 'On: Administration from outside' }).click()
  await page
    .getByRole('list', { name: 'Changes' })
    .getByText(summary[0] ?? '')
    .waitFor()
  const notice = page.getByRole('status').filter({ hasText: 'This waits for the approval of 2 other people' })
  await notice.waitFor()
  const panel = await notice.innerText()
  expect(panel).toContain(risks[0] ?? '')
  expect(panel).toMatch(
    /Nothing is changed yet\. Any other Owner or Admin can approve it until [^]* on the page Approvals/,
  )
  const apply = page.getByRole('button', { name: 'Make the approved change' })
  expect(await apply.count()).toBe(0)
  const choice = page.getByLabel('Apply the change as soon as it is approved')
  chosen.applyWhenApproved = true
  await choice.check()
  state = 'approved'
  on.fake.state.refusals.delete('gateway.update-rule')
  await apply.click()
  await apply.waitFor({ state: 'detached' })
  const body = { enabled: false, expectedPolicyVersion: 3 }
  expect(on.sent('gateway.update-rule')).toEqual([
    body,
    { ...body, applyWhenApproved: true },
    { ...body, approvalId: 'a7' },
  ])
})

test('a rule that was previewed on an older policy is previewed again before it is saved', async () => {
  const { page } = on
  await on.go(`${rules}?edit=r2`)
  await page.getByLabel('Requests', { exact: true }).fill('50')
  await on.press('Preview')
  await page.getByRole('region', { name: 'Preview' }).waitFor()
  on.fake.state.refusals.set(
    'gateway.update-rule',
    new SvcError('policy-version-conflict', { current: 4, expected: 3 }),
  )
  await on.press('Save')
  await page.getByText('policy-version-conflict').waitFor()
  on.fake.state.refusals.delete('gateway.update-rule')
  await on.press('Preview')
  await page.getByRole('region', { name: 'Preview' }).waitFor()
  await on.press('Save')
  await page.getByRole('heading', { name: 'Removed rules' }).waitFor()
  const rate = { limit: 50, windowSeconds: 60, key: 'ip' }
  const sent = {
    name: 'Limit of the search',
    action: 'rate-limit',
    reason: '',
    expressionText: 'http.route eq "/search" and (http.method eq "GET" or http.body.size gt 4096)',
    status: null,
    rate,
    expectedPolicyVersion: 3,
  }
  expect(on.sent('gateway.update-rule')).toEqual([sent, sent])
})
