import { repositoriesApi } from '../../src/api/repositories.ts'
import { conflictPolicies, filePresets } from '../../src/api/repository-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { pageOptions } from '../../cli/paging.ts'
import { pause } from '../../cli/pause.ts'
import { branchOption, fileIdOf, renderRepository, repositoryArgument } from '../../cli/repository/shared.ts'
import { shortTime } from '../../cli/table.ts'

const lookMs = 200

export default group({
  summary: 'Register git repositories, list their files, import and refresh documents',
  commands: {
    list: derive(repositoriesApi.list, {
      examples: ['svc repository list'],
      rows: 'repositories',
      empty: 'No registered repositories.\n',
      columns: {
        ID: (it) => it.id,
        REPOSITORY: (it) => it.full_name,
        HOST: (it) => it.host,
        HEALTH: (it) => it.health.badge,
        FILES: (it) => String(it.files_indexed),
      },
    }),
    show: derive(repositoriesApi.get, {
      summary: 'Show a registered repository and its health',
      examples: ['svc repository show 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [repositoryArgument],
      text: ({ repository }) => renderRepository(repository),
    }),
    update: derive(repositoriesApi.update, {
      summary: 'Change whether a repository is polled, its reports on pull requests, or the account that reads it',
      examples: [
        'svc repository update 01a1fdb6-5607-74ce-8102-e0af632fd4cf --no-auto-refresh',
        'svc repository update 01a1fdb6-5607-74ce-8102-e0af632fd4cf --pull-request-reports',
      ],
      arguments: [repositoryArgument],
      options: {
        'auto-refresh': {
          type: 'boolean',
          default: null,
          summary: 'poll the repository and refresh imported files',
          field: 'auto_refresh_enabled',
        },
        'pull-request-reports': {
          type: 'boolean',
          default: null,
          summary:
            'write a commit status and one comment on open pull requests, about the documents that drafts are bound to',
        },
        account: {
          placeholder: 'ID',
          summary: 'the linked account that reads it; none reads it without one',
          field: 'linked_account_id',
          read: (account) => (account === 'none' ? null : account),
        },
      },
      text: ({ repository }) => renderRepository(repository),
    }),
    delete: derive(repositoriesApi.remove, {
      examples: ['svc repository delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [repositoryArgument],
      data: () => null,
      text: (_, { args }) => `Deleted ${args.id}\n`,
    }),
    files: derive(repositoriesApi.files, {
      examples: ['svc repository files 01a1fdb6-5607-74ce-8102-e0af632fd4cf --preset openapi'],
      arguments: [repositoryArgument],
      options: {
        ...branchOption,
        preset: {
          type: 'string',
          placeholder: 'PRESET',
          choices: filePresets,
          default: 'specs',
          summary: 'specs lists only files that can be imported',
        },
        glob: { summary: 'only paths that match, such as specs/**/*.yaml' },
        hidden: {
          summary: 'include files whose name, or a folder of their path, begins with a dot',
          field: 'include_hidden',
        },
        limit: { ...pageOptions.limit, summary: 'maximum number of files' },
        offset: { ...pageOptions.offset, summary: 'number of files to skip' },
      },
      rows: 'files',
      empty: 'No files.\n',
      columns: {
        PATH: (it) => it.path,
        KIND: (it) => it.kind ?? '-',
        IMPORT: (it) => it.import?.refresh_status ?? '-',
        '': (it) => it.reason ?? '',
      },
      more({ files, total }, { options }) {
        const end = Number(options['offset']) + files.length
        return total > end ? `${total - end} more: --offset ${end}\n` : ''
      },
    }),
    catalog: derive(repositoriesApi.specCatalog, {
      examples: ['svc repository catalog --kind openapi --search payments'],
      options: {
        search: { placeholder: 'TEXT', summary: 'part of the path or of the name of the repository', field: 'q' },
        kind: { type: 'string', placeholder: 'KIND', summary: 'openapi, swagger, arazzo, json-schema or mcp' },
        limit: { ...pageOptions.limit, summary: 'maximum number of documents' },
        offset: { ...pageOptions.offset, summary: 'number of documents to skip' },
      },
      rows: 'specs',
      empty: 'No documents.\n',
      columns: {
        REPOSITORY: (it) => it.repository_full_name,
        PATH: (it) => it.path,
        KIND: (it) => it.kind,
        IMPORT: (it) => it.refresh_status ?? '-',
      },
    }),
    refresh: derive(repositoriesApi.refreshNow, {
      examples: ['svc repository refresh 01a1fdb6-5607-74ce-8102-e0af632fd4cf --branch main'],
      arguments: [repositoryArgument],
      options: { branch: { summary: 'only files of this branch' }, path: { summary: 'only this file' } },
      text: (done) => `${plural(done.enqueued, 'import')} started, ${done.skipped} under way already\n`,
    }),
    history: derive(repositoriesApi.refreshHistory, {
      examples: ['svc repository history 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [repositoryArgument],
      options: { path: { summary: 'only this file' } },
      sends: { limit: 200 },
      rows: 'items',
      empty: 'No refreshes.\n',
      columns: {
        TIME: (it) => shortTime(it.finished_at),
        PATH: (it) => it.path,
        TRIGGER: (it) => it.trigger,
        OUTCOME: (it) => it.outcome,
        COMMIT: (it) => it.to_commit.slice(0, 7),
        CHANGE: ({ error, change }) => error ?? (change === null ? '' : (change.severity ?? 'no change')),
      },
    }),
    create: command({
      summary: 'Register a repository by its https address, or by a linked account',
      description:
        'The repository is read before it is registered; its branches and files are indexed right afterwards.',
      examples: [
        'svc repository create https://github.com/acme/specs',
        'svc repository create acme/specs --account 01a1fdb6-5607-74ce-8102-e0af632fd4cf',
      ],
      arguments: [{ name: 'repository', required: true, summary: 'https address; with --account OWNER/NAME' }],
      options: { account: { type: 'string', placeholder: 'ID', summary: 'the linked account that reads it' } },
      dataSchema: repositoriesApi.create.response,
      async run({ args, options, connection }) {
        const { call, tenant } = await connection()
        const isUrl = /^https?:\/\//i.test(args.repository)
        const body =
          options.account === undefined
            ? { source: 'public_url' as const, cloneUrl: args.repository }
            : {
                source: 'linked_account' as const,
                linkedAccountId: options.account,
                repositoryFullName: isUrl ? new URL(args.repository).pathname.slice(1) : args.repository,
                cloneUrl: isUrl ? args.repository : null,
              }
        const made = await call(repositoriesApi.create, { params: { tenant_slug: await tenant() }, body })
        return { data: made, text: renderRepository(made.repository) }
      },
    }),
    file: command({
      summary: 'Print a file of a repository',
      examples: ['svc repository file 01a1fdb6-5607-74ce-8102-e0af632fd4cf openapi.yaml'],
      arguments: [repositoryArgument, { name: 'path', required: true, summary: 'path of the file' }],
      options: branchOption,
      dataSchema: repositoriesApi.content.response,
      async run({ args, options, connection }) {
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), repository_id: args.id }
        const branch = options.branch ?? (await call(repositoriesApi.get, { params })).repository.default_branch ?? ''
        const found = await call(repositoriesApi.content, {
          params: { ...params, file_id: fileIdOf(branch, args.path) },
        })
        const { encoding, content } = found
        return { data: found, text: encoding === 'utf-8' ? content : Buffer.from(content, 'base64').toString('latin1') }
      },
    }),
    scan: command({
      summary: 'Scan the branches and files of a repository again, and wait for the result',
      examples: ['svc repository scan 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [repositoryArgument],
      options: { wait: { type: 'boolean', default: true, summary: 'wait until the files are indexed' } },
      dataSchema: repositoriesApi.scan.response,
      async run({ args, options, connection, signal }) {
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), repository_id: args.id }
        const before = await call(repositoriesApi.scan, { params })
        let now = before
        const isDone = () =>
          now.repository.last_scanned_at !== before.repository.last_scanned_at ||
          now.repository.health.badge === 'failing'
        while (options.wait && !isDone()) {
          await pause(lookMs, signal)
          now = await call(repositoriesApi.get, { params })
        }
        return { data: now, text: renderRepository(now.repository) }
      },
    }),
    policy: command({
      summary: 'Show or set the conflict policy for drafts that were edited both here and in the repository',
      description:
        'overwrite takes the file of the repository and keeps the edited draft beside it; hold-for-review changes nothing and reports the file as diverged; new-branch creates another draft.',
      examples: [
        'svc repository policy 01a1fdb6-5607-74ce-8102-e0af632fd4cf --set new-branch',
        'svc repository policy 01a1fdb6-5607-74ce-8102-e0af632fd4cf --set overwrite --branch main --path openapi.yaml',
      ],
      arguments: [repositoryArgument],
      options: {
        set: {
          type: 'string',
          placeholder: 'POLICY',
          choices: [...conflictPolicies, 'inherit'],
          summary: 'the policy; inherit clears that of a file',
        },
        branch: { type: 'string', placeholder: 'BRANCH', summary: 'with --path: the branch of the file' },
        path: { type: 'string', placeholder: 'PATH', summary: 'set the policy of this file only' },
      },
      dataSchema: repositoriesApi.conflictPolicy.response,
      async run({ args, options, connection }) {
        const { set, branch, path } = options
        if ((path === undefined) !== (branch === undefined))
          throw new SvcError('usage', { reason: 'Give --branch and --path together' })
        if (set === undefined ? path !== undefined : set === 'inherit' && path === undefined)
          throw new SvcError('usage', { reason: 'A file needs --set, and --set inherit needs a file' })
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), repository_id: args.id }
        const found =
          set === undefined
            ? await call(repositoriesApi.conflictPolicy, { params })
            : path === undefined || branch === undefined
              ? await call(repositoriesApi.setConflictPolicy, { params, body: { policy: set } })
              : await call(repositoriesApi.setFilePolicy, {
                  params,
                  body: { branch, path, policy: set === 'inherit' ? null : set },
                })
        const { policy, overrides } = found.conflictPolicy
        const files = overrides.map((it) => `${it.branch}:${it.path}  ${it.policy}\n`).join('')
        return { data: found, text: `${policy}\n${files}` }
      },
    }),
  },
})
