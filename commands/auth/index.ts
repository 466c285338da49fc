import { authApi } from '../../src/api/auth.ts'
import { SvcError } from '../../src/errors.ts'
import { tenantList, whoami, whoamiSchema } from '../../cli/auth/memberships.ts'
import { callOverHttp, readBase } from '../../cli/connection/http.ts'
import { removeLogin, withLock } from '../../cli/connection/login-store.ts'
import { Login } from '../../cli/connection/login.ts'
import { command, group } from '../../cli/declare.ts'

export default group({
  summary: 'Sign in, sign out, and show your account and organizations',
  commands: {
    tenants: tenantList('List the organizations you have access to, as "svc tenant list" does', 'auth tenants'),
    whoami: command({
      summary: 'Show the service, the account and the roles in use',
      examples: ['svc auth whoami', 'svc --base-url https://svc.example auth whoami --json'],
      arguments: [],
      options: {},
      dataSchema: whoamiSchema,
      run: whoami,
    }),
    status: command({
      summary: 'Alias of "svc auth whoami"',
      examples: ['svc auth status'],
      arguments: [],
      options: {},
      dataSchema: whoamiSchema,
      run: whoami,
    }),
    logout: command({
      summary: 'Sign out of a service and remove the stored credentials',
      description:
        'Revokes the tokens at the service and removes the stored credentials. If the service cannot be reached, the credentials are still removed, and the exit code says that the tokens may still be valid there.',
      examples: ['svc --base-url https://svc.example auth logout'],
      arguments: [],
      options: {},
      dataSchema: {
        type: 'object',
        properties: {
          service: { type: 'string' },
          signed_out: { type: 'boolean', description: 'False if no account was signed in.' },
          user: { type: ['string', 'null'] },
        },
      },
      async run({ globals, env, signal }) {
        const { baseUrl, timeoutMs } = globals
        if (baseUrl === undefined)
          throw new SvcError('usage', {
            reason: 'Give the URL of the service with --base-url or SVC_BASE_URL; the local workspace needs no sign-in',
          })
        const base = readBase(baseUrl)
        const login = new Login(env, { baseUrl, timeoutMs, signal })
        if (login.stored() === null)
          return { data: { service: base, signed_out: false, user: null }, text: `Not signed in to ${base}.\n` }
        return withLock(login.path, async () => {
          const stored = login.stored()
          removeLogin(login.path)
          const failures: SvcError[] = []
          try {
            const body = { refresh_token: stored?.refreshToken ?? '' }
            await callOverHttp({ baseUrl, apiKey: undefined, timeoutMs, signal })(authApi.logout, { body })
          } catch (error) {
            if (!(error instanceof SvcError)) throw error
            failures.push(error)
          }
          const email = stored?.email ?? null
          return {
            data: { service: base, signed_out: true, user: email },
            text: `${email ?? 'You'} signed out at ${base}.\n`,
            failures,
          }
        })
      },
    }),
  },
})
