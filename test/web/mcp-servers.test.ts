/** The catalogue of MCP servers in the application: import with a preview, facts side by side, approval with the difference in view. */
import { describe, expect, test } from 'bun:test'
import { SvcError } from '../../src/errors.ts'
import { csrf } from '../fixtures/web/fake-answers.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const base = '/app/t/acme/-/mcp-servers'
const print = (digit: string) => `sha256:${digit.repeat(64)}`
const calls = (id: string) => on.fake.state.calls.filter((it) => it.id === id)
/** Waits until an operation was called. */
const called = async (id: string): Promise<void> => {
  for (let n = 0; n < 400 && calls(id).length === 0; n++) await Bun.sleep(25)
}

describe('the catalogue', () => {
  test('lists servers with their states, and narrows the list by address', async () => {
    await on.go('/app/t/acme')
    await on.page.getByRole('link', { name: 'MCP servers' }).click()
    await on.heading('MCP servers')
    const rows = on.page.getByRole('list', { name: 'MCP servers' }).getByRole('listitem')
    await rows.first().waitFor()
    expect(await rows.count()).toBe(5)
    expect(await rows.first().innerText()).toMatch(
      /^Weather\s+https:\/\/mcp\.example\.com\/weather\s+drifted\s+approved before\s+production\s/,
    )
    await on.page.getByRole('button', { name: 'asks for credentials' }).click()
    await rows.nth(0).getByText('com.example/billing').first().waitFor()
    expect(await rows.count()).toBe(1)
    expect(on.address()).toBe(`${base}?state=auth-required`)
  })

  test('a manifest is previewed before it is imported', async () => {
    await on.go(`${base}?dialog=import`)
    await on.heading('Import an MCP server')
    expect(await on.page.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true)
    await on.page.getByLabel('Manifest', { exact: true }).fill('{"name": "com.example/weather"}')
    await on.press('Preview')
    await on.page.getByText('What the import does').waitFor()
    await on.page.getByText('Line 3: The value of "API_KEY" was not stored.').waitFor()
    expect(calls('mcp-servers.import')).toEqual([])
    // Another text is another import: it is previewed again.
    await on.page.getByLabel('Manifest', { exact: true }).fill('{"name": "com.example/other"}')
    expect(await on.page.getByRole('button', { name: 'Preview' }).isVisible()).toBe(true)
    expect(await on.page.getByText('What the import does').count()).toBe(0)
  })

  test('the tools.json beside a server.yaml of Docker goes with it', async () => {
    await on.go(`${base}?dialog=import`)
    await on.page.getByLabel('Manifest', { exact: true }).fill('name: weather')
    const tools = '[{"name": "get_forecast"}]'
    const file = { name: 'tools.json', mimeType: 'application/json', buffer: Buffer.from(tools) }
    await on.page.getByLabel(/^Choose tools\.json/).setInputFiles(file)
    await on.page.getByRole('button', { name: 'Remove tools.json' }).waitFor()
    await on.press('Preview')
    await on.page.getByText('What the import does').waitFor()
    expect(on.sent('mcp-servers.preview')).toEqual([
      { manifest: 'name: weather', tools, endpoint_url: null, transport: null, source_label: null },
    ])
  })
})

describe('a server', () => {
  test('has what is declared beside what was observed, and differences open', async () => {
    await on.go(`${base}/weather`)
    const facts = on.page.getByRole('list', { name: 'What is known of the server' }).getByRole('listitem')
    await facts.first().waitFor()
    expect(await facts.count()).toBe(4)
    expect(await on.page.getByLabel('get_forecast as declared').isVisible()).toBe(true)
    expect(await on.page.getByLabel('get_forecast as observed').isVisible()).toBe(true)
    expect(await on.page.getByLabel('get_alerts as observed').isVisible()).toBe(false)
    await on.page.getByRole('button', { name: 'observed only 1' }).click()
    await on.page.getByText('Lists alerts.', { exact: true }).waitFor()
    expect(await facts.count()).toBe(1)
  })

  test('that drifted leads to its changes, and what is known of it is folded', async () => {
    await on.go(`${base}/weather`)
    await on.page.getByText('Its tools differ from what was approved.', { exact: false }).waitFor()
    expect(await on.page.getByText('https://mcp.example.com/weather').isVisible()).toBe(false)
    await on.page.getByText('Details', { exact: true }).click()
    await on.page.getByText('https://mcp.example.com/weather').waitFor()
    await on.page.getByRole('link', { name: 'Review changes' }).click()
    await on.heading('get_forecast')
    expect(on.address()).toBe(`${base}/weather/changes`)
    // There it would lead to itself.
    expect(await on.page.getByRole('link', { name: 'Review changes' }).count()).toBe(0)
  })

  test('is approved with the difference in view, by the fingerprint that is shown', async () => {
    await on.go(`${base}/weather/changes`)
    await on.page.getByText('Hidden in the new text: 1 zero-width character (U+200B)').waitFor()
    expect(await on.page.getByLabel(/^For example, /).innerText()).toBe('{\n  "city": "Oslo"\n}')
    // What may do harm is first, with what the style guide finds in it, and nothing of it is green.
    const items = on.page.getByRole('list', { name: 'Changes' }).locator('> li')
    const headOf = async (item: number) =>
      (await items.nth(item).locator('> div').first().innerText()).split('\n').filter(Boolean)
    const risksOf = (of: string) =>
      on.page
        .getByRole('list', { name: `Risks of ${of}` })
        .getByRole('listitem')
        .allInnerTexts()
    await on.page.getByText('1 added, 1 changed: 2 of them with high risk', { exact: true }).waitFor()
    expect(await headOf(0)).toEqual(['high risk', 'get_forecast', 'tool changed'])
    // The gravest is first.
    expect(await risksOf('get_forecast')).toEqual([
      'Takes back a safer annotation',
      'Text for the model reads like an instruction',
      'Hidden characters in text for the model',
      'Arguments may be wider',
      'Text for the model changed',
    ])
    expect(await headOf(1)).toEqual(['high risk', 'send_report', 'tool added', 'I have read send_report'])
    expect(await risksOf('send_report')).toEqual(['New tool that may delete or overwrite', 'New text for the model'])
    await on.page.getByRole('list', { name: 'Findings in get_forecast' }).getByText('mcp-hidden-text').waitFor()
    const bar = on.page.getByRole('region', { name: 'Your decision' })
    const approve = bar.getByRole('button', { name: 'Approve this surface' })
    expect(await approve.isDisabled()).toBe(true)
    await bar.getByText('0 of 1 new tools read').waitFor()
    await on.page.getByRole('checkbox', { name: 'send_report' }).check()
    await bar.getByText('1 of 1 new tools read').waitFor()
    expect(await approve.isEnabled()).toBe(true)
    await bar.getByRole('button', { name: 'Approve with a note …' }).click()
    await on.page.getByLabel('Note (optional)').fill('Read it.')
    await on.page.getByRole('dialog').getByRole('button', { name: 'Approve this surface' }).click()
    await called('mcp-servers.approve')
    expect(calls('mcp-servers.approve')).toEqual([
      { id: 'mcp-servers.approve', csrf, body: { fingerprint: print('0'), note: 'Read it.' } },
    ])
  })

  test('that changed meanwhile is not approved, and the page says what to do', async () => {
    const stale = { fingerprint: print('0'), observed: print('9'), name: 'com.example/weather' }
    on.fake.state.refusals.set('mcp-servers.approve', new SvcError('approve-stale', stale))
    await on.go(`${base}/weather/changes`)
    await on.page.getByRole('checkbox', { name: 'send_report' }).check()
    await on.press('Approve this surface')
    await on.page.getByText('Reload the server to see what it offers now, then approve that.').waitFor()
  })

  test('has a history that leads to what changed', async () => {
    await on.go(`${base}/weather/history`)
    await on.page.getByRole('link', { name: 'What changed' }).click()
    await on.heading('get_forecast')
    expect(on.address()).toBe(
      `${base}/weather/changes?from=${encodeURIComponent(print('a'))}&to=${encodeURIComponent(print('0'))}`,
    )
  })

  test('shows which tools take the output of which others, and a value that one refuses', async () => {
    await on.go(`${base}/weather`)
    await on.page.getByRole('link', { name: 'Chains' }).click()
    const table = on.page.getByRole('table')
    await table.waitFor()
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      'Answers ↓ takes →',
      'find_city',
      'get_forecast',
      'get_alerts',
      'send_report',
    ])
    expect(await on.page.getByText('1 tool has no output schema').innerText()).toContain('send_report')
    await table.getByRole('button', { name: 'find_city to get_alerts: does not fit' }).click()
    const panel = on.page.getByRole('region', { name: 'The pair' })
    await panel.getByText('/city: must be string').waitFor()
    expect(await panel.getByLabel('A value that does not fit').innerText()).toBe('{\n  "city": null\n}')
    expect(on.address()).toBe(`${base}/weather/chains?from=find_city&to=get_alerts`)
    // One tab stop; arrow keys lead from pair to pair, past a tool beside itself.
    for (const key of ['ArrowDown', 'ArrowLeft', 'ArrowLeft', 'Enter']) await on.page.keyboard.press(key)
    await on.heading('get_forecast → find_city')
    expect(await table.locator('button[tabindex="0"]').count()).toBe(1)
  })

  test('with tools that say nothing of their answers has an empty table that says so; a filter narrows one', async () => {
    await on.go(`${base}/maps/chains`)
    await on.page.getByText('None of its 4 tools has an output schema.').waitFor()
    await on.go(`${base}/weather/chains`)
    await on.page.getByRole('button', { name: 'Fits 3' }).click()
    const table = on.page.getByRole('table')
    await table.getByText('find_city to get_alerts').waitFor({ state: 'detached' })
    expect(await table.getByRole('button').allInnerTexts()).toEqual(
      ['find_city to get_forecast: fits', 'get_forecast to find_city: fits', 'get_alerts to find_city: fits'].map(
        (it) => `✓\n${it}`,
      ),
    )
    await on.page.getByLabel('Search tools').fill('forecast')
    await table.getByText('get_alerts to find_city').waitFor({ state: 'detached' })
    expect(await table.getByRole('button').count()).toBe(2)
  })

  test('that a command starts shows how to observe it where it runs', async () => {
    await on.go(`${base}/files`)
    await on.page.getByText('svc --tenant acme mcp-server observe files -- COMMAND').waitFor()
    expect(await on.page.getByRole('button', { name: 'Observe now' }).count()).toBe(0)
  })
})

test('the registry is switched, and its address can be copied', async () => {
  await on.go(`${base}/registry`)
  await on.page.getByText('https://svc.example.com/v1/mcp/acme/registry').waitFor()
  await on.page.getByRole('switch', { name: 'Published: the registry' }).click()
  await called('mcp-registry.set')
  expect(calls('mcp-registry.set')[0]?.body).toEqual({ enabled: false })
})
