import type { ReactNode } from 'react'
import { documentation } from './documentation.ts'
import { useTitle } from './page.tsx'

/** The frame of the pages for people who are not signed in. */
export const Entrance = ({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) => {
  useTitle(title)
  return (
    <main className="mx-auto grid min-h-screen w-full max-w-md content-center gap-6 px-4 py-10">
      <p className="text-3xl font-bold tracking-tight text-accent">svc</p>
      <div className="card grid gap-5 p-6">
        <div className="grid gap-1">
          <h1 className="text-xl font-semibold">{title}</h1>
          {lead ? <div className="text-soft">{lead}</div> : null}
        </div>
        {children}
      </div>
      <p className="text-center text-sm">
        <a className="link" href={documentation.start}>
          Documentation
        </a>
      </p>
    </main>
  )
}
