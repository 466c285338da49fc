import type { Page } from 'playwright-core'
import type { LargeDocument } from './seed.ts'

/** A page that is measured: where it is, what is on it once it can be used, and what is done on it then. */
interface LargePage {
  readonly name: string
  readonly path: string
  readonly ready: (page: Page) => Promise<unknown>
  readonly act?: Readonly<Record<string, (page: Page) => Promise<unknown>>>
}

const project = '/app/t/local/large'

/** The pages of the versions that `fill` made. */
export function largePages(labels: readonly string[], documents: readonly LargeDocument[]): readonly LargePage[] {
  const draft = labels.at(-1) ?? ''
  const newest = labels.at(-2) ?? ''
  const older = labels.at(-3) ?? ''
  const version = `${project}/${newest}`
  const pair = `base=large%40${older}&head=large%40${newest}`
  const drawn = (region: string) => (page: Page) =>
    page.getByRole('region', { name: region }).getByRole('listitem').nth(2).waitFor()
  const changes = drawn('List of changes')
  const editor = async (page: Page): Promise<void> => page.locator('.cm-line').nth(3).waitFor()
  const parts = (page: Page) =>
    page
      .getByRole('status')
      .filter({ hasText: /parts$|parts of/ })
      .first()
      .waitFor()
  const findings = (page: Page) => page.getByRole('region', { name: 'Findings' }).getByRole('listitem').nth(2).waitFor()
  const firstChange = {
    'the first change is opened': async (page: Page) => {
      await page.keyboard.press('j')
      // A change that only one version has shows the lines of that version.
      await page.locator('.cm-mergeView .cm-line, [aria-label^="Source of"] code').first().waitFor()
    },
  }
  return [
    {
      name: 'projects',
      path: '/app/t/local',
      ready: (page) => page.getByRole('link', { name: 'Large API' }).waitFor(),
    },
    { name: 'timeline', path: project, ready: (page) => page.getByRole('link', { name: newest }).first().waitFor() },
    { name: 'overview', path: version, ready: (page) => page.getByRole('heading', { name: 'Contents' }).waitFor() },
    {
      name: 'overview of a draft',
      path: `${project}/${draft}`,
      ready: (page) => page.getByRole('heading', { name: /to publish$/ }).waitFor(),
    },
    { name: 'operations', path: `${version}/operations`, ready: drawn('List of operations') },
    {
      name: 'lint',
      path: `${version}/findings`,
      ready: findings,
      act: {
        'a search': async (page) => {
          await page.getByLabel('Search findings').fill('post')
          await page.waitForURL(/q=post/)
          await findings(page)
        },
        'the other order': async (page) => {
          await page.getByRole('button', { name: 'by line' }).click()
          await findings(page)
        },
      },
    },
    { name: 'changes', path: `${version}/changes`, ready: changes, act: firstChange },
    { name: 'comparison', path: `/app/t/local/-/compare?${pair}`, ready: changes, act: firstChange },
    {
      name: 'change report',
      path: `${version}/changes/report`,
      ready: (page) => page.getByRole('article').getByRole('heading').first().waitFor(),
    },
    {
      name: 'source',
      path: `${version}/source`,
      ready: async (page) => {
        await editor(page)
        await parts(page)
      },
    },
    { name: 'source at a line', path: `${version}/source?line=150000`, ready: editor },
    {
      name: 'editor',
      path: `${project}/${draft}/edit`,
      ready: editor,
      act: {
        'a key': async (page) => {
          await page.locator('.cm-content').click()
          await page.keyboard.type('x')
          await page.getByText('Unsaved changes').waitFor()
        },
      },
    },
    {
      name: 'documentation',
      path: `/v1/swagger/local/large/${newest}`,
      ready: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
    },
    {
      name: 'home',
      path: '/app/t/local/-/home',
      ready: (page) => page.getByRole('heading', { level: 2 }).first().waitFor(),
    },
    {
      name: 'import',
      path: '/app/t/local/-/import',
      ready: (page) => page.getByText('Drop files').waitFor(),
      act: {
        'a file is chosen': async (page) => {
          await page.getByLabel('Choose files').setInputFiles(documents.at(-1)?.path ?? '')
          await page.getByRole('heading', { name: 'Where it goes' }).waitFor()
        },
      },
    },
  ]
}
