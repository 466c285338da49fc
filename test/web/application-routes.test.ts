/** Every route and every dialog: accessible in both themes and at 400 percent, within its policy, of one origin. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import type { Registry } from '../../cli/declare.ts'
import { registry } from '../../cli/registry.gen.ts'
import { openWeb } from '../../server/web/serve.ts'
import { accessibilityFailures, type Conduct, openBrowser, watch } from '../fixtures/browser.ts'
import { runCommand } from '../fixtures/run-command.ts'
import { startFake } from '../fixtures/web/fake-service.ts'
import { gatewayDialogs, gatewayRoutes } from '../fixtures/web/gateway-routes.ts'

let fake: ReturnType<typeof startFake>
let browser: Browser
let page: Page
let conduct: Conduct

beforeAll(async () => {
  fake = startFake(await openWeb())
  browser = await openBrowser()
  page = await browser.newPage()
  // Less than a test has: a page that does not come must not take the browser with it.
  page.setDefaultTimeout(10_000)
  conduct = await watch(page, fake.server.url.origin)
}, 60_000)
afterAll(async () => {
  await browser.close()
  await fake.server.stop(true)
})
beforeEach(() => fake.reset())
afterEach(() => expect(fake.state.violations).toEqual([]))

const version = '/app/t/acme/train-travel/2.0.0'
const house = '/app/t/acme/-/style-guides/g1'
const published = '/app/t/acme/train-travel/1.1.0'
const shop = '/app/t/acme/train-travel/-/consumers/ticket-app'
const hooks = '/app/t/acme/-/webhooks'
const types = '/app/t/acme/-/types'
const mcp = '/app/t/acme/-/mcp-servers'
const core = `${types}/svc%3Acore%2FMoney`
const git = '/app/t/acme/-/repositories'
/** Every route of the application with what must be seen on it. */
const routes: readonly (readonly [path: string, heading: string])[] = [
  ['/app/?all=yes', 'Your organizations'],
  ['/app/t/acme', 'Projects'],
  ['/app/t/acme?q=nothing-like-it', 'No matches'],
  ['/app/t/acme/train-travel', 'Train Travel API'],
  ['/app/t/acme/api-7', 'No versions yet'],
  [version, 'Train Travel API 2.0.0'],
  [`${version}?operation=POST+%2Fbookings`, 'Request body, required'],
  [`${version}/findings`, '87.4 of 100 points'],
  [`${version}/findings?by=place&frames=no`, '87.4 of 100 points'],
  [`${version}/findings?q=nothing-like-it`, 'No matches'],
  [`${version}/changes`, 'Train Travel API 2.0.0'],
  [`${version}/report`, 'Change report preview'],
  [`${published}/report`, 'What is new in 1.1.0'],
  [`${published}/report?edit=yes`, 'What is new in 1.1.0'],
  [`${version}/source?line=40`, 'Train Travel API 2.0.0'],
  [`${version}/source?edit=yes`, 'Train Travel API 2.0.0'],
  [`${version}/provenance`, '1 conversion warning'],
  [`${version}/review`, 'Requested by Grace Hopper'],
  [`${version}/review?thread=t1&list=findings`, 'GET /trips#parameters/query:from'],
  [`${version}/review?line=40&list=changes&hide=findings`, 'Requested by Grace Hopper'],
  [`${version}/types`, 'Suggestions'],
  [`${version}/publishing`, 'Ready to publish'],
  [`${published}/publishing`, 'This version is published'],
  ['/app/t/acme/train-travel/1.0.0/publishing', 'This version is deprecated'],
  ['/app/t/acme/-/import', 'Import a document'],
  ['/app/t/acme/-/notifications', 'Notifications'],
  ['/app/t/acme/-/reviews', 'Waiting for you'],
  ['/app/t/acme/-/compare', 'Choose what to compare'],
  ['/app/t/acme/-/compare?base=train-travel%401.1.0&head=train-travel%402.0.0', 'Compare'],
  ['/app/t/acme/-/compare?base=train-travel%401.1.0&head=pasted', 'Choose what to compare'],
  ['/app/t/acme/train-travel/-/consumers', 'Ticket app'],
  ['/app/t/acme/train-travel/-/migration?from=1.1.0&to=2.0.0', 'Passenger'],
  ['/app/t/acme/train-travel/-/migration?from=1.1.0&to=1.1.0', 'Same version twice'],
  [shop, '2 items unresolved'],
  [`${shop}?revision=1`, 'Operations and fields in use'],
  ['/app/t/acme/train-travel/-/consumers/kiosk', 'No declaration yet'],
  [`${shop}/declare`, 'Ticket app'],
  [`${shop}/revisions`, 'Revision 2'],
  [`${shop}/impact`, 'Can a version be deployed?'],
  [types, 'Price'],
  [`${types}?scope=core`, 'Money'],
  [`${types}?q=nothing-like-it`, 'No matches'],
  [`${types}/unresolved`, 'acme/money/Price'],
  [`${types}/imports`, 'Types'],
  [`${types}/imports/new`, 'Import types'],
  [`${types}/imports/new?from=git&kind=openapi`, 'Import types'],
  [`${types}/imports/i1`, 'Review the types'],
  [`${types}/imports/i1?show=conflict`, 'Review the types'],
  [`${types}/imports/i2`, 'Problems'],
  [`${types}/imports/i3`, 'This import has expired'],
  [`${types}/new?namespace=core&name=Money&from=svc%3Acore%2FMoney`, 'Create a type'],
  [`${types}/id-Price`, 'Refer to it'],
  [core, 'Refer to it'],
  [`${core}/revisions`, 'No revisions'],
  [`${types}/id-Price/source`, 'Price'],
  [`${types}/id-Price/revisions`, 'All revisions (2)'],
  [`${types}/id-Price/usage?depth=32`, 'Published versions (1)'],
  [`${types}/id-Old/usage`, 'Nothing uses this type yet'],
  [`${types}/id-Price/edit`, 'Edit Price'],
  [git, 'acme/specs'],
  [`${git}?q=nothing-like-it`, 'No matches'],
  [`${git}/specifications?kind=openapi`, 'Repositories'],
  [`${git}/specifications?q=nothing-like-it`, 'No matches'],
  [`${git}/accounts`, 'acme-bot on github.com'],
  [`${git}/accounts?linked_account=ac1`, 'acme-bot on github.com'],
  [`${git}/accounts?error=account-authorization-expired`, 'acme-bot on github.com'],
  [`${git}/providers`, 'GitHub github.com'],
  [`${git}/providers?git_app=svc-acme`, 'GitHub github.com'],
  [`${git}/polling`, 'The last 24 hours'],
  [`${git}/sources`, 'Networks of the providers'],
  [`${git}/r1`, 'acme/specs'],
  [`${git}/r1?q=yaml`, 'acme/specs'],
  [`${git}/r1/history`, 'acme/specs'],
  [`${git}/r1/webhook`, 'Deliveries'],
  [`${git}/r1/settings`, 'Notifications'],
  [`${git}/r1/file?branch=main&path=openapi.yaml`, 'Content'],
  [`${git}/r1/file?branch=main&path=latest.yaml`, 'latest.yaml'],
  [`${git}/r1/file?branch=main&path=none.yaml`, 'This branch does not have the file'],
  [`${git}/r2`, 'No such files on this branch'],
  [`${git}/r2/webhook`, 'No webhook'],
  [`${git}/r3`, 'acme/gone'],
  [`${git}/r4`, 'Reading the repository'],
  ['/app/t/acme/train-travel/-/bindings', '2.0.0'],
  [`${version}/repository`, 'Waiting for a decision'],
  [`${published}/repository`, 'This version is published'],
  [`${version}/repository/c1`, '1 conflict'],
  [`${version}/repository/c2`, 'Train Travel API 2.0.0'],
  [`${version}/repository/c3`, 'Train Travel API 2.0.0'],
  [`${version}/repository/c4`, 'Train Travel API 2.0.0'],
  [`${version}/repository/none`, 'There is no such change'],
  ['/app/t/acme/-/keys', 'pipeline'],
  ['/app/t/acme/-/members', 'Grace Hopper'],
  ['/app/t/acme/-/style-guides', 'Builtin'],
  ['/app/t/acme/-/style-guides/svc-recommended', 'info-contact'],
  [house, 'title-says-api'],
  [`${house}?state=off`, 'operation-tags'],
  [`${house}/custom-rules?project=train-travel&version=2.0.0`, 'Preview'],
  [`${house}/assignments`, 'House'],
  [`${house}/impact?every=yes&job=j1`, 'Stored grades'],
  [`${house}/policy`, 'Publishing gates'],
  [`${house}/packs?show=2`, 'What changed'],
  [hooks, 'https://hooks.example.com/w1'],
  [`${hooks}/dead-letters`, 'Webhooks'],
  [`${hooks}/event-types?type=contract.broken`, 'Properties of data'],
  [`${hooks}/signatures?language=Go`, 'A receiver'],
  [`${hooks}/w1`, 'https://hooks.example.com/w1'],
  [`${hooks}/w1?status=dead_letter&type=webhook.test`, 'No matches'],
  [`${hooks}/w2`, 'https://hooks.example.com/w2'],
  [`${hooks}/w3`, 'https://hooks.example.com/w3'],
  [`${hooks}/w5`, `https://hooks.example.com/${'long'.repeat(11)} … glonglonglonglong`],
  [`${hooks}/w5/d4`, 'contract.revised train-travel 2.0.0 ticket-app'],
  [`${hooks}/w1/d3`, 'version.published train-travel 2.0.0'],
  [mcp, 'Weather'],
  [`${mcp}?state=unreachable`, 'No matches'],
  [`${mcp}/registry`, 'Address for agent hosts'],
  [`${mcp}/weather`, 'get_forecast'],
  [`${mcp}/weather?origin=observed`, 'get_alerts'],
  [`${mcp}/weather/changes`, 'get_forecast'],
  [`${mcp}/maps/changes`, 'Nothing to compare'],
  [`${mcp}/weather/history`, 'Declarations'],
  [`${mcp}/weather/findings`, 'Weather'],
  [`${mcp}/files`, 'com.example/files'],
  ...gatewayRoutes,
  ['/app/t/acme/-/usage', 'This organization'],
  ['/app/t/acme/-/audit', 'Audit trail'],
  ['/app/t/acme/-/audit?action=version.*', 'No matches'],
  ['/app/t/acme/-/settings', 'Danger zone'],
  ['/app/account', 'Password'],
  ['/app/device', 'Authorize a device'],
  ['/app/device?user_code=BCDF-GHJK', 'Authorize a device'],
  ['/app/sign-in', 'Sign in'],
  ['/app/claim#token=set-up-token', 'Create the administrator account'],
  ['/app/claim', 'Set-up'],
  ['/app/invitation#token=new', 'Join Acme'],
  ['/app/invitation', 'Invitation'],
  ['/app/new-tenant', 'Create an organization'],
  ['/app/no/such/page', 'Page not found'],
]
/** Every dialog: each has an address of its own. */
const dialogs: readonly (readonly [path: string, title: string])[] = [
  ['/app/t/acme?dialog=new', 'Create a project'],
  ['/app/t/acme/train-travel?dialog=edit', 'Edit the project'],
  ['/app/t/acme/train-travel?dialog=delete', 'Delete Train Travel API?'],
  ['/app/t/acme/train-travel?dialog=draft', 'Create a draft'],
  [`${version}/publishing?dialog=publish`, 'Publish 2.0.0?'],
  [`${version}/publishing?dialog=delete`, 'Delete the draft 2.0.0?'],
  [`${published}/report?dialog=regenerate`, 'Regenerate the report'],
  [`${published}/report?dialog=clear`, 'Clear the edits?'],
  [`${published}/publishing?dialog=visibility`, 'Visibility of 1.1.0'],
  [`${published}/publishing?dialog=deprecate`, 'Deprecate 1.1.0?'],
  [`${published}/publishing?dialog=retire`, 'Retire 1.1.0?'],
  ['/app/t/acme/train-travel/-/consumers?dialog=new', 'Register a consumer'],
  ['/app/t/acme/train-travel/-/consumers?dialog=pact', 'Import a Pact'],
  [`${shop}?dialog=edit`, 'Edit Ticket app'],
  [`${shop}?dialog=retire`, 'Retire Ticket app?'],
  [`${git}?dialog=new`, 'Add a repository'],
  [`${git}?dialog=link`, 'Link an account'],
  [`${git}/accounts?dialog=token&item=ac2`, 'Replace the token of ada on github.com'],
  [`${git}/accounts?dialog=delete&item=ac2`, 'Delete ada on github.com?'],
  [`${git}/accounts?dialog=delete&item=ac1`, 'acme-bot on github.com is used'],
  [`${git}/providers?dialog=client&item=gitlab%20gitlab.com`, 'OAuth client of gitlab.com'],
  [`${git}/providers?dialog=unregister&item=github%20github.com`, 'Remove the OAuth client of github.com?'],
  [`${git}/providers?dialog=app&item=github%20code.example.com`, 'Create a GitHub App'],
  [`${git}/providers?dialog=forget&item=github%20github.com`, 'Forget the App svc acme?'],
  [`${git}/polling?dialog=limit`, 'Change the limit'],
  [`${git}/sources?dialog=network`, 'Add a network'],
  [`${git}/sources?dialog=bypass`, 'Stop checking addresses?'],
  [`${git}/sources?dialog=remove&item=e1`, 'Remove 203.0.113.0/24?'],
  [`${git}/r1?dialog=delete`, 'Remove acme/specs?'],
  [`${version}/repository?dialog=bind`, 'Bind to something else'],
  [`${version}/repository?dialog=unbind`, 'Unbind the draft?'],
  [`${version}/repository/c1?dialog=take`, 'Take the change into the draft?'],
  [`${version}/repository/c1?dialog=apply`, 'Mark as applied?'],
  [`${version}/repository/c1?dialog=dismiss`, 'Dismiss the change?'],
  [`${git}/r1/webhook?dialog=rotate`, 'Rotate the secret'],
  [`${git}/r1/webhook?dialog=unhook`, 'Delete the webhook?'],
  [`${git}/r2/webhook?dialog=create`, 'Create a webhook'],
  [`${git}/r1/file?branch=main&path=openapi.yaml&dialog=import`, 'Import openapi.yaml'],
  ['/app/t/acme/-/keys?dialog=new', 'Create an API key'],
  ['/app/t/acme/-/keys?dialog=edit&item=k1', 'Edit pipeline'],
  ['/app/t/acme/-/keys?dialog=rotate&item=k1', 'Rotate pipeline'],
  ['/app/t/acme/-/keys?dialog=disable&item=k1', 'Disable pipeline?'],
  ['/app/t/acme/-/keys?dialog=delete&item=k1', 'Delete pipeline?'],
  ['/app/t/acme/-/keys?dialog=new-agent', 'Create an agent key'],
  ['/app/t/acme/-/keys?dialog=revoke&item=a1', 'Revoke reader?'],
  ['/app/t/acme/-/keys?dialog=new-mcp', 'Create an MCP key'],
  ['/app/t/acme/-/keys?dialog=capabilities', 'Allowed and default tools'],
  ['/app/t/acme/-/keys?dialog=tools&item=m1', 'Tools of team server'],
  ['/app/t/acme/-/keys?dialog=delete&item=m1', 'Delete team server?'],
  ['/app/t/acme/-/members?dialog=invite', 'Invite a member'],
  ['/app/t/acme/-/members?dialog=role&item=u2', 'Role of Grace Hopper'],
  ['/app/t/acme/-/members?dialog=remove&item=u2', 'Remove Grace Hopper?'],
  ['/app/t/acme/-/members?dialog=leave&item=u1', 'Leave this organization?'],
  ['/app/t/acme/-/style-guides?dialog=new', 'Create a style guide'],
  ['/app/t/acme/-/style-guides?dialog=duplicate&item=svc-recommended', 'Duplicate svc:recommended'],
  [`${house}?dialog=rename`, 'Rename House'],
  [`${house}?dialog=default`, 'Make House the default?'],
  [`${house}?dialog=delete`, 'Delete House?'],
  [`${mcp}?dialog=import`, 'Import an MCP server'],
  ...gatewayDialogs,
  [`${mcp}/weather?dialog=labels`, 'Edit the labels'],
  [`${mcp}/weather?dialog=header`, 'Set a header for observations'],
  [`${mcp}/weather?dialog=delete`, 'Remove com.example/weather?'],
  [`${hooks}?dialog=new`, 'Create a subscription'],
  [`${hooks}?dialog=replay`, 'Send missed deliveries again'],
  [`${hooks}?dialog=edit&item=w1`, 'Edit the subscription'],
  [`${hooks}/w1?dialog=rotate`, 'Rotate the signing secret'],
  [`${hooks}/w1?dialog=off`, 'Switch the subscription off?'],
  [`${hooks}/w1?dialog=replay`, 'Send missed deliveries again'],
  [`${hooks}/w1?dialog=delete`, 'Delete the subscription?'],
  [`${types}/id-Price?dialog=deprecate`, 'Deprecate Price'],
  [`${types}/id-Price?dialog=delete`, 'Price is used'],
  [`${types}/id-Old?dialog=delete`, 'Delete Old?'],
  [`${types}/id-Price/usage?dialog=repin&item=train-travel%401.1.0`, 'Move to revision 2'],
  [`${version}/types?dialog=repin`, 'Move to the newest types'],
  ['/app/t/acme/-/settings?dialog=transfer', 'Transfer ownership'],
  ['/app/t/acme/-/settings?dialog=delete', 'Delete Acme?'],
]

const look = async (path: string, heading: string): Promise<void> => {
  await page.goto(new URL(path, fake.server.url).href)
  // A heading that links elsewhere ends with where its link leads, in parentheses.
  const name = new RegExp(`^${heading.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}( ?\\(|$)`)
  await page.getByRole('heading', { name }).first().waitFor()
  // Every part that is still waiting for an answer says so.
  await page
    .getByText(/^Loading .* …$/)
    .first()
    .waitFor({ state: 'detached' })
}

const wide = { width: 1280, height: 860 }
/** 1280 by 1024 pixels at 400 percent. */
const zoomed = { width: 320, height: 256 }

/** Commands that were seen on any page. */
const shown = new Set<string>()

/**
 * What is wrong with the page as it stands, or with what `within` selects: light and wide, then dark and zoomed, where
 * it may not be wider than the window either.
 */
const faults = async (within?: string): Promise<string[]> => {
  const found: string[] = []
  const tell = async (where: string): Promise<void> => {
    for (const failure of await accessibilityFailures(page, [], within)) found.push(`${where}: ${failure}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await tell('light')
  await page.setViewportSize(zoomed)
  await page.emulateMedia({ colorScheme: 'dark' })
  await tell('dark, zoomed')
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (beyond > 0) found.push(`zoomed: ${beyond} pixels wider than the window`)
  await page.setViewportSize(wide)
  return found
}

const clean = async (path: string, heading: string, within?: string): Promise<void> => {
  for (const list of [conduct.foreign, conduct.violations, conduct.errors]) list.length = 0
  await page.setViewportSize(wide)
  await look(path, heading)
  expect(await faults(within)).toEqual([])
  for (const hint of await page.locator('[aria-label^="Command: svc "]').all()) shown.add(await hint.innerText())
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
}

test.each(routes)(
  'the route %s is clean',
  async (path, heading) => {
    await clean(path, heading)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  },
  30_000,
)

test.each(dialogs)(
  'the dialog %s is clean, takes the focus, and Escape leaves it',
  async (path, title) => {
    await clean(path, title, '[role=dialog], [role=alertdialog]')
    const named = { name: title, exact: true }
    const dialog = page.getByRole('dialog', named).or(page.getByRole('alertdialog', named))
    expect(await dialog.evaluate((it) => it.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('dialog=')
  },
  30_000,
)

test('a key that is shown once, the palette, the menus, and a refusal are clean', async () => {
  await look('/app/t/acme/-/keys?dialog=new', 'Create an API key')
  await page.getByLabel('Name').fill('laptop')
  await page.keyboard.press('Enter')
  await page.getByLabel('The key', { exact: true }).waitFor()
  expect(await faults()).toEqual([])
  await page.getByLabel('I have stored the key').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: /Create an MCP key/ }).waitFor()
  expect(await faults()).toEqual([])
  await page.keyboard.press('Escape')
  for (const menu of ['Account: Ada Lovelace', 'Organization: Acme']) {
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole('menu').waitFor()
    // Around an open menu base-ui guards the focus with elements that axe takes for content.
    expect(await faults('[role=menu]')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }
  fake.state.role = 'viewer'
  await look('/app/t/acme/-/keys', "You don't have access")
  expect(await faults()).toEqual([])
}, 30_000)

test('zoomed, the sections are behind a button', async () => {
  await page.setViewportSize(zoomed)
  await look('/app/t/acme', 'Projects')
  expect(await page.getByRole('navigation', { name: 'Sections' }).isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Sections' }).click()
  await page.getByRole('link', { name: 'Audit trail' }).click()
  await page.getByRole('heading', { name: 'Audit trail' }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Sections' }).isVisible()).toBe(false)
})

/** The commands as they are declared, doing nothing: what is left is whether a command line is understood. */
const idle: Registry = Object.fromEntries(
  Object.entries(registry).map(([name, { summary, load }]) => [
    name,
    { summary, load: load && (async () => ({ ...(await load()), run: async () => ({}) })) },
  ]),
)

test('every command that a page shows is one that svc understands', async () => {
  // The page that is open would ask once more, and be refused.
  await page.goto('about:blank')
  Object.assign(fake.state, { claimed: false, signedIn: false })
  await clean('/app/sign-in', 'Set up svc')
  expect(shown.size).toBeGreaterThan(18)
  const refused: string[] = []
  for (const line of shown) {
    const words = line.split(' ').map((word) => word.replaceAll("'", ''))
    const { exit, stderr } = await runCommand(words.slice(1), idle)
    if (exit !== 0) refused.push(`${line}: ${stderr}`)
  }
  expect(refused).toEqual([])
}, 60_000)
