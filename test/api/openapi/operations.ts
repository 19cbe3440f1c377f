/** All operations that the documents describe. */

import { dashboardOperationsOf, operationsOf } from "#api/openapi/operations.ts";
import { describedRoutes } from "#api/resources.ts";

export const OPERATIONS = operationsOf(describedRoutes());
export const DASHBOARD_OPERATIONS = dashboardOperationsOf(describedRoutes());
