import type { HttpApp } from '../http/variables.ts';
import type { Service } from '../service.ts';

export function registerReads(_app: HttpApp, _service: Service): void {}
