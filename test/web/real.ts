/** The real service with its sample and a real browser in it, signed in as the owner who took it over. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { createLogger } from '../../server/operations/log.ts'
import { serve } from '../../server/serve.ts'
import { type Conduct, openBrowser, watch } from '../browser.ts'

export interface Real {
  readonly page: Page
  readonly conduct: Conduct
  /** Opens a path of the application. */
  go(path: string): Promise<void>
  heading(name: string): Promise<void>
  /** Presses a button by its name, whole or as a pattern. */
  press(name: string | RegExp): Promise<void>
  /** Calls the service as the page does. Gives the body of the answer; anything but a success is thrown. */
  ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
  close(): Promise<void>
}

const exactly = (name: string | RegExp) => ({ name, ...(typeof name === 'string' ? { exact: true } : {}) })

export const openReal = async (): Promise<Real> => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-real-'))
  const server = await serve({
    database: { kind: 'sqlite', path: join(folder, 'svc.db') },
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    egressAllow: [],
    issuers: { oidc: null, trusted: null },
    logger: createLogger({ level: 'error', write: () => {} }),
    environment: {},
    version: '0.0.0',
    setupFile: join(folder, 'setup-link'),
    sample: true,
    agents: null,
  })
  const browser = await openBrowser()
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  page.setDefaultTimeout(10_000)
  const conduct = await watch(page, server.url)
  await page.goto(server.setupLink ?? '')
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  return {
    page,
    conduct,
    go: async (path) => void (await page.goto(`${server.url}/app${path}`)),
    heading: (name) => page.getByRole('heading', exactly(name)).waitFor(),
    press: (name) => page.getByRole('button', exactly(name)).click(),
    ask: async (method, path, body) => {
      const { status, text } = await page.evaluate(
        async ([method, path, body]) => {
          const { csrf_token: token } = (await (await fetch('/_app/session')).json()) as { csrf_token: string }
          const headers = { 'x-csrf-token': token, 'content-type': 'application/json' }
          const answer = await fetch(path, { method, headers, ...(body === null ? {} : { body }) })
          return { status: answer.status, text: await answer.text() }
        },
        [method, path, body === undefined ? null : JSON.stringify(body)] as const,
      )
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
      return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    },
    close: async () => {
      await browser.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
