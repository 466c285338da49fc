import { versionsApi, VersionRecord } from '../../src/api/versions.ts'
import { isCalendarDate } from '../../src/calendar-date.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { versionArguments, versionFacts } from '../../cli/version/facts.ts'

const readDate = (text: string): string => {
  const time = isCalendarDate(text.slice(0, 10)) && /^.{10}(?:T.*)?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new SvcError('usage', { reason: `--sunset must be a date such as 2027-01-31, not "${text}"` })
  return new Date(time).toISOString()
}

export default command({
  summary: 'Mark a published version as deprecated',
  description: 'Its documents are served with the Deprecation header and, if a date is given, the Sunset header.',
  examples: [
    'svc version deprecate petstore 1.2.0 --sunset 2027-01-31 --replacement 2.0.0',
    'svc version deprecate petstore 1.2.0 --withdraw',
  ],
  arguments: versionArguments,
  options: {
    sunset: { type: 'string', placeholder: 'DATE', summary: 'when it stops being served' },
    replacement: { type: 'string', placeholder: 'LABEL', summary: 'the version that replaces it' },
    withdraw: { type: 'boolean', summary: 'take the deprecation back: the version is published again' },
  },
  dataSchema: VersionRecord,
  async run({ args, options, connection, io }) {
    const body = {
      ...(options.sunset === undefined ? {} : { sunset_at: readDate(options.sunset) }),
      ...(options.replacement === undefined ? {} : { replacement: options.replacement }),
    }
    if (body.sunset_at !== undefined && Date.parse(body.sunset_at) < Date.now())
      io.log.warn(`The sunset ${options.sunset} has passed: clients read that the version is no longer served.`)
    const { withdraw: isWithdrawn } = options
    if (isWithdrawn && Object.keys(body).length > 0)
      throw new SvcError('usage', {
        reason: '--withdraw takes the deprecation back: leave out --sunset and --replacement',
      })
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
    if (isWithdrawn) {
      const version = await call(versionsApi.undeprecate, { params })
      return { data: version, text: () => versionFacts(version) }
    }
    const version = await call(versionsApi.deprecate, { params, body })
    return { data: version, text: () => versionFacts(version) }
  },
})
