import type { ReactNode } from 'react'
import { useTitle } from './page.tsx'

/** The frame of what is shown before anybody is signed in. */
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
    </main>
  )
}
