import { ImportJob, importsApi } from '../../src/api/imports.ts'
import { SvcError } from '../../src/errors.ts'
import { listImportFormats } from '../../src/import/importer.ts'
import { command, group } from '../../cli/declare.ts'
import {
  bulkOptions,
  documentOptions,
  linkOption,
  pathImport,
  qualityOptions,
  schemaOptions,
  versionIdOption,
  waitOptions,
} from '../../cli/import/options.ts'
import { renderTable } from '../../cli/table.ts'

const { wait: _wait, ...following } = waitOptions

/** What an import does is loaded where one is made: listing formats needs nothing of it. */
const importing = () => import('../../cli/import/path.ts')

export default group({
  command: command({
    summary: 'Import documents into projects and versions',
    description:
      'Every format of --list is a command: "svc import FORMAT PATH", where PATH is a file, an archive, a folder, an http(s) URL or - for standard input. "auto" detects the format, "git" reads a repository, "preflight" grades without storing.',
    examples: [
      'svc import auto api.yaml',
      'svc import openapi api.yaml --publish public --min-grade B',
      'svc import auto specs.zip --bulk --dry-run',
      'svc import --list',
    ],
    arguments: [],
    options: { list: { type: 'boolean', summary: 'list the import formats' } },
    run({ options }) {
      if (!options.list)
        throw new SvcError('usage', { reason: 'Missing format, as in "svc import auto FILE"; --list lists them.' })
      const formats = listImportFormats().map(({ id, summary }) => ({ id, summary }))
      const text = () =>
        renderTable(['FORMAT', ''], [...formats.map(({ id, summary }) => [id, summary]), ['auto', 'detect the format']])
      return Promise.resolve({ data: formats, text })
    },
  }),
  commands: {
    openapi: command({
      summary: 'Import OpenAPI 3.0, 3.1 and 3.2 documents, JSON or YAML',
      examples: [
        'svc import openapi api.yaml',
        'svc import openapi https://example.com/api.json --publish public --min-grade B',
        'svc import openapi api.yaml --dry-run --report sarif=import.sarif',
      ],
      ...pathImport,
      options: documentOptions,
      run: async (invocation) => (await importing()).importPath('openapi', invocation),
    }),
    swagger: command({
      summary: 'Import Swagger 2.0 documents, JSON or YAML',
      examples: [
        'svc import swagger api.yaml',
        'svc import swagger https://example.com/api.json --publish public --min-grade B',
        'svc import swagger api.yaml --dry-run --report sarif=import.sarif',
      ],
      ...pathImport,
      options: documentOptions,
      run: async (invocation) => (await importing()).importPath('swagger', invocation),
    }),
    arazzo: command({
      summary: 'Import Arazzo 1.0 and 1.1 documents, JSON or YAML',
      examples: [
        'svc import arazzo flows.yaml',
        'svc import arazzo flows.yaml --version-id UUID',
        'svc import arazzo https://example.com/flows.yaml --publish public --min-grade B',
      ],
      ...pathImport,
      options: { ...documentOptions, ...versionIdOption },
      run: async (invocation) => (await importing()).importPath('arazzo', invocation),
    }),
    'json-schema': command({
      summary: 'Import JSON Schema documents, draft-04 to 2020-12, JSON or YAML',
      examples: [
        'svc import json-schema types.schema.json',
        'svc import json-schema address.json --as schema --name Address --version-id UUID',
        'svc import json-schema https://example.com/types.json --publish public --min-grade B',
      ],
      ...pathImport,
      options: { ...documentOptions, ...versionIdOption, ...schemaOptions, ...linkOption },
      run: async (invocation) => (await importing()).importAndLink('json-schema', invocation),
    }),
    mcp: command({
      summary: 'Import MCP server descriptors, bundle manifests and lists of tools',
      examples: [
        'svc import mcp api.yaml',
        'svc import mcp https://example.com/api.json --publish public --min-grade B',
        'svc import mcp api.yaml --dry-run --report sarif=import.sarif',
      ],
      ...pathImport,
      options: documentOptions,
      run: async (invocation) => (await importing()).importPath('mcp', invocation),
    }),
    auto: command({
      summary: 'Import documents and detect their format',
      examples: [
        'svc import auto api.yaml',
        'svc import auto specs.zip --bulk --override payments/api.yaml=existing@2.1.0',
        'svc import auto https://example.com/api.json --publish public --min-grade B',
      ],
      ...pathImport,
      options: { ...documentOptions, ...versionIdOption, ...schemaOptions, ...linkOption, ...bulkOptions },
      run: async (invocation) => (await importing()).importAndLink('auto', invocation),
    }),
    status: command({
      summary: 'Show an import job, or wait for it',
      examples: ['svc import status JOB', 'svc import status JOB --wait'],
      arguments: [{ name: 'job', required: true, summary: 'id of the job' }],
      options: {
        wait: {
          type: 'boolean',
          summary: 'wait until the job has finished; Ctrl-C stops waiting, the job continues',
        },
        ...following,
        report: qualityOptions.report,
      },
      dataSchema: ImportJob,
      graceful: true,
      async run({ args, options, connection, io, ...around }) {
        const { concludeJob } = await import('../../cli/import/run.ts')
        const { call } = await connection()
        const job = await call(importsApi.get, { params: { job_id: args.job } })
        if (job.finished_at !== null || options.wait)
          return concludeJob(job, null, options, { connection, io, ...around })
        io.log.warn(`The job ${job.job_id} has not ended (${job.phase ?? job.status}).`)
        return { data: job, text: `${job.status}\n` }
      },
    }),
  },
})
