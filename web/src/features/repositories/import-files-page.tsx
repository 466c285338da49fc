import { useMutation, useQueries } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import type { ImportItem, ImportJob } from '../../../../src/api/imports.ts'
import { Grade } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CheckField } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { count } from '../../parts/text.ts'
import { queryClient } from '../../query-client.ts'
import { hasEnded } from '../import/queries.ts'
import { jobQuery, jobsWord, readJobs, startImports } from './import-files.ts'

const cell = 'px-3 py-1.5 align-baseline'
const isRefused = ({ status }: ImportItem): boolean => status === 'failed' || status === 'blocked'

/** Why a file is not imported, with the line where one is known. */
const Refusal = ({ item }: { item: ImportItem }) => {
  const [first] = item.findings.filter(({ severity }) => severity === 'error')
  const reasons = item.error === null ? (item.gate?.reasons ?? []) : [item.error.message]
  return (
    <span className="grid gap-0.5 text-sm wrap-anywhere text-danger">
      {reasons.map((reason) => (
        <span key={reason}>{reason}</span>
      ))}
      {first === undefined ? null : (
        <span className="text-soft">
          Line {(first.range.start.line + 1).toLocaleString()}: {first.message}
        </span>
      )}
    </span>
  )
}

const actionWords = { create: 'new version', update: 'replaces the draft', keep: 'unchanged' } as const

/** The project and version that a file becomes, or became. */
const Becomes = ({ tenant, item: { plan, result } }: { tenant: string; item: ImportItem }) => {
  if (plan === null) return null
  const words = plan.project.action === 'create' ? 'new project' : actionWords[plan.version.action]
  const name = `${plan.project.slug} ${plan.version.label}`
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm">
      {result === null ? (
        <span className="wrap-anywhere">{name}</span>
      ) : (
        <Link
          to="/t/$tenant/$project/$version"
          params={{ tenant, project: result.project_slug, version: result.version_slug }}
          className="link wrap-anywhere"
        >
          {name}
        </Link>
      )}
      <span className="text-soft">{words}</span>
    </span>
  )
}

/** What changes for clients of the version that is published. */
const Breaking = ({ item: { compared } }: { item: ImportItem }) => {
  if (compared == null) return <span className="text-sm text-soft">nothing published</span>
  const of = `compared with ${compared.label}`
  return compared.breaking === 0 ? (
    <span className="text-sm text-soft">none, {of}</span>
  ) : (
    <span className="text-sm text-danger">
      {count(compared.breaking, 'breaking change', 'breaking changes')} {of}
    </span>
  )
}

const Items = ({ tenant, items, isPlan }: { tenant: string; items: readonly ImportItem[]; isPlan: boolean }) => (
  <div className="card overflow-x-auto">
    <table className="w-full" aria-label="Files">
      <thead className="border-b text-left text-sm text-soft">
        <tr>
          {['Grade', 'File', 'Becomes', ...(isPlan ? ['Breaks'] : [])].map((name) => (
            <th key={name} className={`${cell} font-medium`} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {items.map((item) => (
          <tr key={item.path}>
            <td className={cell}>
              <Grade grade={item.lint?.grade ?? null} score={item.lint?.score ?? null} />
            </td>
            <td className={`${cell} min-w-32 font-mono text-[0.8125rem] wrap-anywhere`}>{item.path}</td>
            {isRefused(item) ? (
              <td className={cell} colSpan={isPlan ? 2 : 1}>
                <Refusal item={item} />
              </td>
            ) : (
              <>
                <td className={cell}>
                  <Becomes tenant={tenant} item={item} />
                </td>
                {isPlan ? (
                  <td className={cell}>
                    <Breaking item={item} />
                  </td>
                ) : null}
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** A dry run, or an import, in one sentence. */
const factsOf = (items: readonly ImportItem[], isPlan: boolean): string => {
  const refused = items.filter(isRefused).length
  const taken = items.filter((item) => !isRefused(item))
  const projects = new Set(taken.flatMap(({ plan }) => (plan?.project.action === 'create' ? [plan.project.slug] : [])))
    .size
  const breaking = items.filter(({ compared }) => (compared?.breaking ?? 0) > 0).length
  return [
    `${taken.length.toLocaleString()} ${isPlan ? 'to import' : 'imported'}`,
    projects > 0 && count(projects, 'new project', 'new projects'),
    breaking > 0 && `${count(breaking, 'breaks', 'break')} clients of a published version`,
    refused > 0 && `${refused.toLocaleString()} refused`,
  ]
    .filter((word) => word !== false)
    .join(' · ')
}

const Progress = ({ jobs, words }: { jobs: readonly ImportJob[]; words: string }) => {
  const done = jobs.reduce((sum, { progress }) => sum + progress.done, 0)
  const total = jobs.reduce((sum, { progress }) => sum + progress.total, 0)
  return (
    <div className="grid gap-1" role="status">
      <p className="text-sm text-soft">
        {words} {total > 0 ? `${done.toLocaleString()} of ${total.toLocaleString()}` : ''} …
      </p>
      <progress className="w-full" value={done} max={Math.max(1, total)} aria-label={`${done} of ${total} files`} />
    </div>
  )
}

/** What stays in sight below the table: the facts, and the import of all that was not refused. */
const Decision = ({ tenant, plan, items }: { tenant: string; plan: string; items: readonly ImportItem[] }) => {
  const navigate = useNavigate()
  const [refreshes, setRefreshes] = useState(true)
  const start = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const jobs = await startImports(tenant, readJobs(plan), refreshes)
      await navigate({
        to: '/t/$tenant/-/repositories/import',
        params: { tenant },
        search: { plan, run: jobsWord(jobs) },
        replace: true,
      })
    },
  })
  const taken = items.filter((item) => !isRefused(item)).length
  return (
    <div
      role="region"
      aria-label="Import"
      className="float sticky bottom-3 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3"
    >
      <p className="text-sm">{factsOf(items, true)}</p>
      <CheckField checked={refreshes} onChange={setRefreshes}>
        <span className="text-sm">Import each again when it changes in the repository</span>
      </CheckField>
      <span className="grow" />
      {start.error ? <Failure error={start.error} /> : null}
      <Button look="primary" busy={start.isPending} disabled={taken === 0} onClick={() => start.mutate()}>
        Import {taken.toLocaleString()}
      </Button>
    </div>
  )
}

/** Several files of repositories before, while and after they are imported. The jobs are in the address: it can be loaded again. */
export const ImportFilesPage = ({ tenant, plan, run }: { tenant: string; plan: string; run: string }) => {
  const isPlan = run === ''
  const queries = useQueries({ queries: readJobs(isPlan ? plan : run).map(jobQuery) })
  const jobs = queries.flatMap(({ data }) => data ?? [])
  const items = jobs.flatMap((job) => job.items)
  const failed = queries.find(({ error }) => error !== null)
  const refusals = jobs.flatMap(({ error }) => error ?? [])
  const isDone = jobs.length > 0 && jobs.length === queries.length && jobs.every(hasEnded)
  useEffect(() => {
    // New versions may show on every page but this one.
    if (isDone && !isPlan)
      void queryClient.invalidateQueries({ predicate: ({ queryKey: [what] }) => what !== 'imports' })
  }, [isDone, isPlan])
  const back = (
    <Link to="/t/$tenant/-/repositories/specifications" params={{ tenant }} className="link">
      Specifications
    </Link>
  )
  const running = isDone ? 'Specifications imported' : 'Importing specifications'
  return (
    <Page trail={back} title={isPlan ? 'Import specifications' : running}>
      {queries.length === 0 ? (
        <Empty title="Nothing chosen">
          <p>Tick specifications in the list of all repositories, and import them together.</p>
          <Link to="/t/$tenant/-/repositories/specifications" params={{ tenant }} className={buttonClass('primary')}>
            Choose specifications
          </Link>
        </Empty>
      ) : null}
      {failed?.error ? <Failure error={failed.error} onRetry={() => void failed.refetch()} /> : null}
      {queries.length > 0 && jobs.length === 0 && !failed ? <Loading what="the import" /> : null}
      {refusals.map((error) => (
        <p key={error.message} role="alert" className="text-danger">
          {error.message} {error.hint}
        </p>
      ))}
      {jobs.length > 0 && !isDone ? <Progress jobs={jobs} words={isPlan ? 'Checking' : 'Importing'} /> : null}
      {isDone && !isPlan ? (
        <div role="status" className="card flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
          <p className="font-medium">{factsOf(items, false)}</p>
          <span className="grow" />
          <Link to="/t/$tenant" params={{ tenant }} className={buttonClass()}>
            Projects
          </Link>
        </div>
      ) : null}
      {items.length === 0 ? null : <Items tenant={tenant} items={items} isPlan={isPlan} />}
      {isDone && isPlan && items.length > 0 ? <Decision tenant={tenant} plan={plan} items={items} /> : null}
    </Page>
  )
}
