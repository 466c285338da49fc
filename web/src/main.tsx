import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const target = document.getElementById('app')
if (target) createRoot(target).render(<StrictMode>svc</StrictMode>)
