/** Keys in the application: REST keys, agent keys, MCP keys and what these may call. */
import { describe, expect, test } from 'bun:test'
import { csrf } from '../fixtures/web/fake-answers.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const shown = () => on.page.getByLabel('The key', { exact: true })
const store = async (): Promise<void> => {
  await on.page.getByLabel('I have stored the key').check()
  await on.press('Done')
  await shown().waitFor({ state: 'detached' })
}

describe('API keys', () => {
  test('created by keyboard, shown once behind a guard', async () => {
    await on.go('/app/t/acme')
    await on.page.getByRole('link', { name: 'People and keys' }).click()
    await on.page.getByRole('link', { name: 'Keys', exact: true }).click()
    await on.page.getByRole('button', { name: 'Create an API key …' }).focus()
    await on.keys('Enter')
    await on.heading('Create an API key')
    expect(on.address()).toBe('/app/t/acme/-/keys?dialog=new')
    await on.page.getByLabel('Name').fill('laptop')
    await on.page.getByRole('radio', { name: /CI: compare and lint/ }).check()
    await on.press('Never')
    await on.page.getByLabel('Name').focus()
    await on.keys('Enter')
    await shown().waitFor()
    expect(await shown().innerText()).toMatch(/^svk_\w{38}$/)
    expect(await on.page.getByText(/export SVC_API_KEY=svk_/).innerText()).toContain('diff PROJECT@latest')
    // Neither Escape nor the way back takes it away, and the page cannot be left for another one.
    await on.keys('Escape')
    await on.page.goBack()
    expect(await shown().isVisible()).toBe(true)
    await on.page.goBack()
    expect(await shown().isVisible()).toBe(true)
    expect(await on.page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
    expect(on.address()).toBe('/app/t/acme/-/keys')
    await store()
    expect(await on.page.getByText(/svk_0a1b2c3d4e5f/).count()).toBe(0)
    expect(on.fake.state.calls.filter((it) => it.id === 'app.api-keys.create')).toEqual([
      {
        id: 'app.api-keys.create',
        csrf,
        body: { name: 'laptop', description: '', scopes: ['diff:read', 'lint:read'], expires_in_days: null },
      },
    ])
  })

  test('snippets of a key with full access: command line, CI, agent; the key is in the first only', async () => {
    await on.go('/app/t/acme/-/keys?dialog=new')
    await on.page.getByLabel('Name').fill('laptop')
    await on.keys('Enter')
    await shown().waitFor()
    const key = await shown().innerText()
    const snippet = on.page.locator('pre')
    const { origin } = on.fake.server.url
    expect(await snippet.innerText()).toBe(
      `export SVC_API_KEY=${key}\nsvc --base-url ${origin} --tenant acme auth whoami`,
    )
    await on.press('CI')
    expect(await snippet.innerText()).toContain(`run: svc --base-url ${origin} --tenant acme import openapi`)
    expect(await snippet.innerText()).not.toContain(key)
    await on.press('Agent')
    expect(JSON.parse(await snippet.innerText())).toEqual({
      mcpServers: {
        svc: {
          command: 'svc',
          args: ['--base-url', origin, '--tenant', 'acme', 'mcp'],
          env: { SVC_API_KEY: '${SVC_API_KEY}', SVC_MCP_TOOL_NAMES: 'underscore' },
        },
      },
    })
  })

  test('disabled after a question, enabled without one, deleted after one; an expired key stays expired', async () => {
    await on.go('/app/t/acme/-/keys')
    const row = on.page.getByRole('listitem').filter({ has: on.page.getByRole('heading', { name: 'nightly-job' }) })
    const choose = async (key: string, name: string) => {
      await on.press(`Actions for ${key}`)
      await on.page.getByRole('menuitem', { name }).click()
    }
    await choose('nightly-job', 'Disable …')
    await on.heading('Disable nightly-job?')
    await on.press('Cancel')
    await on.closed('Disable nightly-job?')
    expect(await row.getByText('active', { exact: true }).count()).toBe(1)
    await choose('nightly-job', 'Disable …')
    await on.press('Disable')
    await row.getByText('disabled', { exact: true }).waitFor()
    await choose('nightly-job', 'Enable')
    await row.getByText('active', { exact: true }).waitFor()
    await on.press('Actions for old')
    const offered = on.page.getByRole('menuitem')
    await offered.first().waitFor()
    expect(await offered.allInnerTexts()).toEqual(['Edit …', 'Delete …'])
    await on.keys('Escape')
    await choose('nightly-job', 'Delete …')
    await on.press('Delete')
    await on.page.getByRole('heading', { name: 'nightly-job', exact: true }).waitFor({ state: 'detached' })
    expect([...on.sent('app.api-keys.update'), ...on.sent('app.api-keys.delete')]).toEqual([
      { enabled: false },
      { enabled: true },
      {},
    ])
  })

  test('the banner of a key that ends soon leads into its rotation', async () => {
    await on.go('/app/t/acme')
    await on.page.getByText('1 key expires within 14 days').waitFor()
    await on.page.getByRole('link', { name: 'Rotate nightly-job' }).click()
    await on.heading('Rotate nightly-job')
    expect(on.address()).toBe('/app/t/acme/-/keys?dialog=rotate&item=k1')
    expect(await on.page.getByRole('radio', { name: /Expires (in|now)/ }).count()).toBe(3)
    await on.page.getByRole('radio', { name: /7 days/ }).check()
    expect(await on.page.getByRole('button', { name: '30 days' }).getAttribute('aria-pressed')).toBe('true')
    await on.press('Create the new key')
    await shown().waitFor()
    await on.page.getByText('update the clients of the old key').waitFor()
    await store()
    await on.page.getByText('replaced by a newer key').waitFor()
    expect(await on.page.getByText('expires within 14 days').count()).toBe(0)
    expect(on.sent('app.api-keys.rotate')).toEqual([{ grace: '7d', expires_in_days: 30 }])
  })

  test('a key is renamed; its scopes are never asked for again', async () => {
    await on.go('/app/t/acme/-/keys?dialog=edit&item=k1')
    await on.heading('Edit nightly-job')
    expect(await on.page.getByRole('radio').count()).toBe(0)
    await on.page.getByLabel('Name').fill('release pipeline')
    await on.press('Save')
    await on.heading('release pipeline')
    expect(on.sent('app.api-keys.update')).toEqual([{ name: 'release pipeline', description: '' }])
  })

  test('a member who may not see keys sees the missing permission, and no link', async () => {
    on.fake.state.role = 'editor'
    await on.go('/app/t/acme/-/keys')
    await on.heading("You don't have access")
    expect(await on.page.getByRole('alert').innerText()).toContain(
      'api_keys:view, which Owner or Admin of this organization has',
    )
    expect(await on.page.getByRole('navigation', { name: 'Sections' }).getByRole('link').allInnerTexts()).toEqual([
      'Home\n6\nwaiting for you',
      'Projects',
      'Dependencies',
      'Types',
      'Repositories',
      'Style guides',
      'MCP servers',
      'Gateways',
      'People and keys',
      'Members',
      'Teams',
      'Settings',
    ])
    expect([...on.sent('mcp-keys.list'), ...on.sent('app.api-keys.list')]).toEqual([])
  })
})

test('an agent key takes its toolset from the form and is shown once', async () => {
  await on.go('/app/t/acme/-/agents')
  await on.press('Create an agent key …')
  await on.page.getByLabel('Label').fill('reviewer')
  await on.page.getByRole('radio', { name: /^lint/ }).check()
  await on.keys('Enter')
  await shown().waitFor()
  await store()
  await on.press('Revoke … reader')
  await on.press('Revoke')
  await on.closed('Revoke reader?')
  expect(on.sent('agent-keys.create')).toEqual([{ label: 'reviewer', toolset: 'lint', expires_in_days: 30 }])
})

test('keys of every kind are on one page, filtered by kind and name; former addresses lead there', async () => {
  const sections = () => on.page.getByRole('heading', { level: 2 }).allInnerTexts()
  await on.go('/app/t/acme/-/keys')
  await on.heading('team server')
  expect(await sections()).toEqual(['API keys', 'Agent keys', 'MCP keys', 'Pipelines'])
  await on.press('Agent keys')
  expect([on.address(), await sections()]).toEqual(['/app/t/acme/-/keys?kind=agent', ['Agent keys']])
  await on.press('Agent keys')
  await on.page.getByLabel('Search keys').fill('nothing like it')
  await on.page.getByText('No MCP key matches your search').waitFor()
  await on.page.getByText('No API key matches your search').waitFor()
  await on.go('/app/t/acme/-/mcp')
  await on.heading('team server')
  expect([on.address(), await sections()]).toEqual(['/app/t/acme/-/keys?kind=mcp', ['MCP keys']])
})

describe('MCP keys', () => {
  test('created with a label, shown once with what each host needs, deleted after a question', async () => {
    await on.go('/app/t/acme/-/mcp')
    await on.press('Create an MCP key …')
    await on.page.getByLabel('Label').fill('laptop')
    await on.keys('Enter')
    await shown().waitFor()
    expect(await shown().innerText()).toMatch(/^svm_\w{38}$/)
    expect(JSON.parse(await on.page.locator('pre').innerText())).toEqual({
      mcpServers: {
        svc: {
          type: 'http',
          url: `${on.fake.server.url.origin}/mcp?names=underscore`,
          headers: { Authorization: `Bearer ${await shown().innerText()}` },
        },
      },
    })
    await store()
    await on.page.getByRole('heading', { name: 'laptop' }).waitFor()
    await on.press('Delete … laptop')
    await on.press('Delete')
    await on.page.getByRole('heading', { name: 'laptop' }).waitFor({ state: 'detached' })
    expect(on.sent('mcp-keys.create')).toEqual([{ label: 'laptop' }])
  })

  test('a tool that is no longer allowed is no default tool either', async () => {
    await on.go('/app/t/acme/-/mcp')
    await on.press('Change the tools …')
    await on.page.getByLabel('spec.list: allowed').uncheck()
    expect(await on.page.getByLabel('spec.list: default').isDisabled()).toBe(true)
    await on.page.getByLabel('spec.search: allowed').check()
    await on.page.getByLabel('spec.search: default').check()
    await on.press('Save')
    await on.closed('Allowed and default tools')
    expect(on.sent('mcp-capabilities.put')).toEqual([
      { ceiling: ['ping', 'project.list', 'spec.export', 'spec.search'], defaults: ['ping', 'spec.search'] },
    ])
  })

  test('a key has a custom list of the allowed tools, or the default tools', async () => {
    await on.go('/app/t/acme/-/keys?kind=mcp&dialog=tools&item=m1')
    await on.heading('Tools of team server')
    const own = on.page.getByRole('group', { name: 'Custom tools' }).getByRole('checkbox')
    expect(await own.count()).toBe(4)
    await on.page.getByLabel('spec.export').uncheck()
    await on.page.getByLabel('project.list').check()
    await on.press('Save')
    await on.closed('Tools of team server')
    await on.press('Tools … team server')
    await on.page.getByRole('radio', { name: /Default tools/ }).check()
    await on.press('Save')
    await on.closed('Tools of team server')
    expect(on.sent('mcp-keys.capabilities')).toEqual([
      { mode: 'explicit', tools: ['ping', 'project.list'] },
      { mode: 'inherit' },
    ])
  })
})

describe('pipelines without keys', () => {
  test('trusted for the conditions that are written, and removed', async () => {
    await on.go('/app/t/acme/-/keys?kind=trust')
    await on.page.getByText('repository = acme/specs').waitFor()
    await on.page.getByRole('button', { name: 'Trust a pipeline …' }).click()
    await on.heading('Trust a pipeline')
    await on.page.getByLabel('Name').fill('checks')
    await on.page.getByRole('radio', { name: /GitLab/ }).check()
    await on.page.getByLabel('Conditions').fill('project_path = acme/checks\n\nref = main')
    await on.page.getByRole('radio', { name: /^CI: read/ }).check()
    await on.page.getByLabel('Minutes that access lasts (1 to 60)').fill('5')
    await on.page.getByRole('button', { name: 'Trust', exact: true }).click()
    await on.page.getByText('project_path = acme/checks', { exact: true }).waitFor()
    expect(on.fake.state.calls.filter((it) => it.id === 'trusts.create')).toEqual([
      {
        id: 'trusts.create',
        csrf,
        body: {
          name: 'checks',
          issuer: 'https://gitlab.com',
          conditions: { project_path: 'acme/checks', ref: 'main' },
          scopes: ['catalog:read'],
          lifetime_seconds: 300,
        },
      },
    ])
    await on.page.getByRole('button', { name: 'Remove … checks' }).click()
    await on.page.getByRole('button', { name: 'Remove', exact: true }).click()
    await on.page.getByText('project_path = acme/checks', { exact: true }).waitFor({ state: 'detached' })
  })
})
