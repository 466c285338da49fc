import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { writeRef } from './queries.ts'
import { useAddress } from '../../parts/address.ts'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { Toolbar } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { allVersionsQuery, timelineQuery, type VersionRef } from '../catalog/versions.ts'
import { CompareLink, Comparison, type Shown } from './comparison-result.tsx'

/** The changes from another version of the project to this one, with their verdicts. */
export const ChangesView = ({ at, base, shown }: { at: VersionRef; base: string | null; shown: Shown }) => {
  const { filter } = useAddress()
  const versions = useQuery(allVersionsQuery(at.tenant, at.project))
  const timeline = useQuery(timelineQuery(at.tenant, at.project))
  // What it is compared with is not known yet: nothing is compared with anything else meanwhile.
  const isUndecided = base === null && timeline.isPending
  return (
    <section aria-label="Changes" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Read query={isUndecided ? { ...versions, data: undefined } : versions} what="the versions">
        {({ items }) => {
          const here = items.findIndex(
            (it) => it.slug === at.version || it.label === at.version || it.id === at.version,
          )
          const others = items.filter((_, index) => index !== here)
          // Unasked it is compared with what the gates and the overview compare it with, else with the one before it.
          const slug = items[here]?.slug
          const step = timeline.data?.items.find((it) => it.slug === slug)
          const from = base ?? step?.base?.slug ?? items[here + 1]?.slug ?? others[0]?.slug ?? null
          if (from === null)
            return (
              <Empty title="Nothing to compare with">
                <p>This is the only version of the project.</p>
              </Empty>
            )
          const pair = {
            tenant: at.tenant,
            base: { project: at.project, version: from },
            head: { project: at.project, version: at.version },
          }
          return (
            <>
              <Toolbar>
                <label className="flex items-center gap-2 text-sm">
                  Compared with
                  <select
                    className="field w-auto max-w-72 min-w-0"
                    value={from}
                    onChange={(event) => filter({ base: event.target.value })}
                  >
                    {others.some((it) => it.slug === from) ? null : <option value={from}>{from}</option>}
                    {others.map((it) => (
                      <option key={it.id} value={it.slug}>
                        {it.label} ({it.status})
                      </option>
                    ))}
                  </select>
                </label>
                <span className="flex flex-wrap items-center gap-x-5 gap-y-1">
                  <CompareLink pair={pair} />
                  <Link to="/t/$tenant/$project/$version/changes/report" params={{ ...at }} className="link text-sm">
                    Release notes
                  </Link>
                </span>
                <CommandHint
                  command={svcCommand(at.tenant, ['diff', writeRef(pair.base), writeRef(pair.head)], {
                    format: 'markdown',
                  })}
                />
              </Toolbar>
              <Comparison key={from} pair={pair} shown={shown} />
            </>
          )
        }}
      </Read>
    </section>
  )
}
