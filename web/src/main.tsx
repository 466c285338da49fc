import './theme.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeSetupToken } from './pages/entrance.tsx'
import { queryClient } from './queries.ts'
import { router } from './router.tsx'

takeSetupToken()
const target = document.getElementById('app')
if (target)
  createRoot(target).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
