import { repositoriesApi } from '../../src/api/repositories.ts'
import { command } from '../../cli/declare.ts'
import { renderRepository, repositoryArgument } from '../../cli/repository/shared.ts'

export default command({
  summary: 'Change whether a repository is polled, its reports on pull requests, or the account that reads it',
  examples: [
    'svc repository update 01a1fdb6-5607-74ce-8102-e0af632fd4cf --no-auto-refresh',
    'svc repository update 01a1fdb6-5607-74ce-8102-e0af632fd4cf --pull-request-reports',
  ],
  arguments: [repositoryArgument],
  options: {
    'auto-refresh': { type: 'boolean', default: null, summary: 'poll it, and refresh what was imported' },
    'pull-request-reports': {
      type: 'boolean',
      default: null,
      summary:
        'write a commit status and one comment on open pull requests, about the documents that drafts are bound to',
    },
    account: {
      type: 'string',
      placeholder: 'ID',
      summary: 'the linked account that reads it; none reads it without one',
    },
  },
  dataSchema: repositoriesApi.update.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const refresh = options['auto-refresh']
    const { account } = options
    const reports = options['pull-request-reports']
    const changed = await call(repositoriesApi.update, {
      params: { tenant_slug: await tenant(), repository_id: args.id },
      body: {
        ...(refresh === null ? {} : { auto_refresh_enabled: refresh }),
        ...(reports === null ? {} : { pull_request_reports: reports }),
        ...(account === undefined ? {} : { linked_account_id: account === 'none' ? null : account }),
      },
    })
    return { data: changed, text: renderRepository(changed.repository) }
  },
})
