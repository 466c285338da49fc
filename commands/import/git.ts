import { ImportJob } from '../../src/api/imports.ts'
import { listImportFormats } from '../../src/import/importer.ts'
import { command } from '../../cli/declare.ts'
import { requestOf } from '../../cli/import/path.ts'
import { gitSource } from '../../cli/import/git-source.ts'
import { gitOptions } from '../../cli/input/git/address.ts'
import {
  bulkOptions,
  dryRunOption,
  pathImport,
  qualityOptions,
  targetOptions,
  waitOptions,
} from '../../cli/import/options.ts'
import { readReports, runImport } from '../../cli/import/run.ts'

export default command({
  summary: 'Import a document from a git repository',
  description: `The repository is an https, http or ssh URL, or a local folder; only the requested commit and the files that are needed are fetched. The commit is stored with the version. ${pathImport.description}`,
  examples: [
    'svc import git https://github.com/acme/payments.git --path openapi.yaml',
    'svc import git git@github.com:acme/specs.git --ref v2.1.0 --root billing --path billing/api.yaml',
    'svc import git . --ref HEAD --path specs/api.yaml --dry-run',
  ],
  arguments: [
    {
      name: 'repo_url',
      required: true,
      summary: 'https://HOST/PATH, ssh://HOST/PATH, USER@HOST:PATH, or a folder with a repository',
    },
  ],
  options: {
    ...gitOptions,
    format: {
      type: 'string',
      placeholder: 'FORMAT',
      choices: ['auto', ...listImportFormats().map(({ id }) => id)],
      default: 'auto',
      summary: 'format of the document',
    },
    ...dryRunOption,
    ...targetOptions,
    bulk: { ...bulkOptions.bulk, summary: 'import each independent document below --path' },
    override: bulkOptions.override,
    ...qualityOptions,
    ...waitOptions,
  },
  dataSchema: ImportJob,
  graceful: true,
  async run(invocation) {
    const { args, options, globals } = invocation
    const request = requestOf(options.format, options)
    readReports(options.report, globals.json)
    const { ref, path } = options
    const accounts = { repositoryId: options['repository-id'], accountId: options['linked-account-id'] }
    const gathered = await gitSource(args.repo_url, { ref, path, ...accounts }, invocation)
    const root = options.root ?? gathered.root
    return runImport(gathered, { ...request, ...(root === null ? {} : { root }) }, options, invocation)
  },
})
