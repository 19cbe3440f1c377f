// oapi-codegen's client. Prints what it was answered.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"time"

	"crossrate.example/clients/oapicodegen"
	"github.com/oapi-codegen/runtime/types"
)

func day(text string) types.Date {
	parsed, err := time.Parse(time.DateOnly, text)
	check(err)
	return types.Date{Time: parsed}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func text(value string) *string { return &value }

func main() {
	ctx := context.Background()
	client, err := oapicodegen.NewClientWithResponses(os.Args[1])
	check(err)

	friday := day("2026-04-10")
	latest, err := client.GetLatestWithResponse(ctx, &oapicodegen.GetLatestParams{Base: text("USD"), Symbols: text("EUR, GBP")})
	check(err)
	converted, err := client.ConvertPairWithResponse(ctx, "USD", "EUR", &oapicodegen.ConvertPairParams{Amount: text("100.50"), Date: &friday})
	check(err)
	batch, err := client.ConvertPairsWithResponse(ctx, oapicodegen.ConvertBatchRequest{
		From:  "USD",
		Pairs: [][]interface{}{{"EUR", 100}, {"GBP", "49.90"}},
	})
	check(err)
	rows, err := client.GetRangeWithResponse(ctx, &oapicodegen.GetRangeParams{
		Symbols: "EUR,GBP", StartDate: day("2026-04-01"), EndDate: day("2026-04-10"),
	})
	check(err)
	page, err := rows.JSON200.AsRangeResponse()
	check(err)
	refused, err := client.ConvertPairWithResponse(ctx, "USD", "XYZ", &oapicodegen.ConvertPairParams{})
	check(err)

	amounts := []float64{}
	for _, item := range batch.JSON200.Conversions {
		amounts = append(amounts, item.Converted)
	}
	first := page.Data[0]
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"base":      latest.JSON200.Base,
		"eur":       latest.JSON200.Rates["EUR"],
		"updated":   latest.JSON200.DataUpdatedAt.Format(time.DateOnly),
		"converted": converted.JSON200.Converted,
		"batch":     amounts,
		"rows":      len(page.Data),
		"first":     first.Date.Format(time.DateOnly),
		"firstEur":  first.Rates["EUR"],
		"refused":   refused.JSON400.Code,
	}))
}
