import { type ExchangedToken, TrustRecord, type TrustTrial, trustsApi } from '../../src/api/trusts.ts'
import { keyScopes } from '../../src/api/permissions.ts'
import { SvcError } from '../../src/errors.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { pageCounts, pageOptions } from '../../cli/paging.ts'
import { renderFacts, shortTime } from '../../cli/table.ts'
import { conditionsOf, issuerNames, issuerOf, readSubjectToken } from '../../cli/trust/subject-token.ts'

const conditionsText = (it: TrustRecord): string =>
  Object.entries(it.conditions)
    .map(([claim, pattern]) => `${claim}=${pattern}`)
    .join(' ')

const renderTrust = (trust: TrustRecord): string =>
  renderFacts([
    ['id', trust.id],
    ['name', trust.name],
    ['issuer', trust.issuer],
    ['keys', trust.jwks_uri],
    ['audience', trust.audience],
    ['claims', conditionsText(trust)],
    ['scopes', trust.scopes.join(' ')],
    ['lifetime', `${trust.lifetime_seconds}s${trust.single_use ? ', each token once' : ''}`],
    ['last used', trust.last_used_at === null ? 'never' : shortTime(trust.last_used_at)],
  ])

const renderTrial = ({ issuer, subject, trusts }: TrustTrial): string =>
  renderFacts([
    ['issuer', issuer],
    ['subject', subject],
  ]) +
  (trusts.length === 0 ? 'No trusts.\n' : '') +
  trusts
    .map((it) =>
      it.accepted ? `${it.name}: accepted\n` : `${it.name}:\n${it.reasons.map((why) => `  ${why}\n`).join('')}`,
    )
    .join('')

const tokenOption = {
  'token-stdin': { type: 'boolean', summary: 'read the token from standard input (default: SVC_ID_TOKEN)' },
} as const

const trustArgument = { name: 'trust', summary: 'name or id of the trust' } as const

export default group({
  summary: 'Trust pipelines by the tokens of their issuers, so that they need no keys',
  commands: {
    list: derive(trustsApi.list, {
      summary: 'List the trusted pipelines of the organization, newest first',
      examples: ['svc trust list', 'svc trust list --json'],
      options: pageOptions,
      data: 'items',
      counts: pageCounts,
      empty: 'No trusted pipelines. Add one: svc trust add NAME --issuer github --claim repository=OWNER/REPOSITORY\n',
      columns: {
        NAME: (it) => it.name,
        ISSUER: (it) => it.issuer,
        SCOPES: (it) => it.scopes.join(' '),
        'LAST USED': (it) => (it.last_used_at === null ? '-' : shortTime(it.last_used_at)),
        CLAIMS: conditionsText,
      },
      more: true,
    }),
    add: command({
      summary: 'Trust tokens of an issuer for conditions on their claims',
      description:
        'For administrators, signed in with "svc auth login" or on the local workspace. All conditions must fit: * is any text, ? one character. Of an issuer that signs for everybody, such as GitHub, one of them must name the owner.',
      examples: [
        'svc trust add specs --issuer github --claim repository=acme/specs --claim ref=refs/heads/main --scope catalog:publish',
        'svc trust add checks --issuer gitlab --claim project_path=acme/specs --scope catalog:read --lifetime 5m',
        'svc trust add cluster --issuer https://kubernetes.example.com --claim sub=system:serviceaccount:ci:svc --scope catalog:import',
      ],
      arguments: [{ name: 'name', required: true, summary: 'name: lower-case letters, digits, hyphens and dots' }],
      options: {
        issuer: {
          type: 'string',
          placeholder: 'URL',
          summary: `iss of the tokens, or ${issuerNames.join(', ')}; required`,
        },
        claim: {
          type: 'string',
          multiple: true,
          placeholder: 'CLAIM=PATTERN',
          summary: 'a condition (repeatable); at least one',
        },
        scope: {
          type: 'string',
          multiple: true,
          placeholder: 'SCOPE',
          choices: keyScopes,
          summary: 'what the pipeline may do (repeatable; default catalog:read)',
        },
        lifetime: {
          type: 'duration',
          placeholder: 'TIME',
          min: 60_000,
          max: 3_600_000,
          default: 900_000,
          summary: 'how long the access lasts, at most 1h (default 15m)',
        },
        audience: {
          type: 'string',
          placeholder: 'TEXT',
          summary: 'aud of the tokens (default: the address of the service)',
        },
        'jwks-uri': {
          type: 'string',
          placeholder: 'URL',
          summary: 'where the keys of an issuer without discovery are',
        },
        once: { type: 'boolean', summary: 'exchange each token once only' },
      },
      dataSchema: TrustRecord,
      async run({ args, options, connection }) {
        if (options.issuer === undefined)
          throw new SvcError('usage', { reason: `Missing --issuer: an address, or ${issuerNames.join(', ')}` })
        if (options.claim.length === 0)
          throw new SvcError('usage', { reason: 'Missing --claim: a condition such as repository=acme/specs' })
        const conditions = conditionsOf(options.claim)
        const { call, tenant } = await connection()
        const made = await call(trustsApi.create, {
          params: { tenant_slug: await tenant() },
          body: {
            name: args.name,
            issuer: issuerOf(options.issuer),
            ...(options['jwks-uri'] === undefined ? {} : { jwks_uri: options['jwks-uri'] }),
            ...(options.audience === undefined ? {} : { audience: options.audience }),
            conditions,
            scopes: options.scope.length === 0 ? ['catalog:read'] : [...options.scope],
            lifetime_seconds: Math.round(options.lifetime / 1000),
            single_use: options.once,
          },
        })
        return { data: made, text: renderTrust(made) }
      },
    }),
    show: derive(trustsApi.get, {
      summary: 'Show a trusted pipeline',
      examples: ['svc trust show specs'],
      arguments: [trustArgument],
      text: renderTrust,
    }),
    remove: derive(trustsApi.remove, {
      examples: ['svc trust remove specs'],
      arguments: [trustArgument],
      text: (_, { args }) => `Removed ${args.trust}; its tokens have ended\n`,
    }),
    test: command({
      summary: 'Say which trusts take a token, and why the others do not; nothing is issued',
      description: 'For administrators. The token is read from SVC_ID_TOKEN or standard input.',
      examples: ['svc trust test --token-stdin < token', 'SVC_ID_TOKEN_FILE=token svc trust test'],
      arguments: [],
      options: tokenOption,
      dataSchema: trustsApi.test.response,
      async run(invocation) {
        const token = await readSubjectToken(invocation)
        const { call, tenant } = await invocation.connection()
        const trial = await call(trustsApi.test, { params: { tenant_slug: await tenant() }, body: { token } })
        return { data: trial, text: renderTrial(trial), exitCode: trial.trusts.some((it) => it.accepted) ? 0 : 3 }
      },
    }),
    exchange: command({
      summary: 'Exchange the token of a pipeline for access to the organization, and print it',
      description:
        'Needs --base-url and --tenant, and no key. The token is read from standard input or SVC_ID_TOKEN, or asked of the runner of GitHub Actions. What is printed is for SVC_API_KEY.',
      examples: [
        'SVC_API_KEY=$(svc --base-url https://svc.example.com --tenant acme trust exchange)',
        'svc --base-url https://svc.example.com --tenant acme trust exchange --trust specs --token-stdin < token',
      ],
      arguments: [],
      options: {
        ...tokenOption,
        trust: { type: 'string', placeholder: 'NAME', summary: 'the trust, where several take the token' },
        audience: {
          type: 'string',
          placeholder: 'TEXT',
          summary: 'aud to ask of GitHub Actions (default: --base-url)',
        },
      },
      dataSchema: trustsApi.exchange.response,
      async run(invocation) {
        const { options, globals, connection } = invocation
        const { tenant: slug, baseUrl } = globals
        if (baseUrl === undefined || slug === undefined)
          throw new SvcError('usage', {
            reason: 'Missing --base-url or --tenant: name the service and the organization',
          })
        const subject_token = await readSubjectToken(invocation)
        const { call } = await connection()
        const made: ExchangedToken = await call(trustsApi.exchange, {
          params: { tenant_slug: slug },
          body: { subject_token, ...(options.trust === undefined ? {} : { trust: options.trust }) },
        })
        return { data: made, text: `${made.access_token}\n` }
      },
    }),
  },
})
