/** From a manifest to an approved server, on the real service: what is imported is observed by itself, and drift is seen. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { parseNetworks } from '../../server/egress/address.ts'
import { forecastTool, startMcpServer, type ScriptedMcpServer } from '../fixtures/mcp-server.ts'
import { openReal, type Real } from '../fixtures/web/real.ts'

let real: Real
let server: ScriptedMcpServer
let tools: readonly object[] = [forecastTool]

beforeAll(async () => {
  server = startMcpServer(({ rpc }) => (rpc === 'tools/list' ? { tools } : undefined))
  real = await openReal({ egressAllow: parseNetworks('127.0.0.0/8') })
}, 60_000)
afterAll(async () => {
  await real.close()
  await server.stop()
})

test('a server is imported, observed by itself, approved, drifts, and is approved again', async () => {
  const { page } = real
  await real.go('/t/local/-/mcp-servers')
  await page.getByRole('button', { name: 'Import a server …' }).first().click()
  const manifest = {
    name: 'com.example/weather',
    title: 'Weather',
    description: 'Forecasts of cities.',
    version: '1.2.0',
    remotes: [{ type: 'streamable-http', url: server.url }],
  }
  await page.getByLabel('Manifest', { exact: true }).fill(JSON.stringify(manifest))
  await real.press('Preview')
  await page.getByText('What the import does').waitFor()
  await real.press('Import')
  await real.heading('Weather')
  await page.getByText(/^1 tool, seen/).waitFor()
  await page.getByText('get_forecast').first().waitFor()
  await page.getByRole('link', { name: 'Changes', exact: true }).click()
  await page.getByText('Nothing to compare').waitFor()
  await real.press('Approve this surface')
  await page.getByText('approved', { exact: true }).waitFor()
  tools = [{ ...forecastTool, description: 'Returns\u200b the forecast of a city for the next days.' }]
  await real.press('Observe now')
  await page.getByText('drifted', { exact: true }).waitFor()
  await page.getByText('Hidden in the new text: 1 zero-width character (U+200B)').waitFor()
  await page.getByRole('link', { name: 'Findings' }).click()
  await page.getByText('mcp-hidden-text').first().waitFor()
  await page.getByRole('link', { name: 'Changes', exact: true }).click()
  await real.press('Approve this surface')
  await page.getByText('as expected', { exact: true }).waitFor()
  expect(real.conduct).toEqual({ foreign: [], violations: [], errors: [] })
}, 90_000)
